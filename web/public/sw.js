// A small service worker of our own: the page opens without the network, says so, and shows the reader's games as
// they were seen last. The positions themselves are kept by the page.
const SHELL = 'quadriga-shell-1';
const DATA = 'quadriga-data-1';
const MOST_DATA = 60; // answers that are kept
const KEPT = /^\/api\/(games|words\/\w+|me|me\/games|tables\/[\w-]+\/geometry)$/;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches.open(SHELL).then((cache) => cache.addAll(['/', '/icon.svg', '/manifest.webmanifest'])),
  );
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names.filter((name) => name !== SHELL && name !== DATA).map((name) => caches.delete(name)),
        ),
      ),
  );
  self.clients.claim();
});

async function freshFirst(request) {
  const cache = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put('/', answer.clone());
    return answer;
  } catch (fault) {
    const kept = await cache.match('/');
    if (kept) return kept;
    throw fault;
  }
}

async function freshData(request) {
  const cache = await caches.open(DATA);
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      await cache.put(request, answer.clone());
      for (const old of (await cache.keys()).slice(0, -MOST_DATA)) await cache.delete(old);
    }
    return answer;
  } catch (fault) {
    const kept = await cache.match(request);
    if (kept) return kept;
    throw fault;
  }
}

async function keptFirst(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

// A notice that the server has sent. It says no more than the reader has chosen.
self.addEventListener('push', (event) => {
  const told = event.data ? event.data.json() : {};
  const shown = self.registration.showNotification('Quadriga', {
    body: told.body ?? '',
    tag: told.tag ?? 'quadriga',
    data: told.path ?? '/',
    icon: '/icon-192.png',
  });
  const badge = navigator.setAppBadge ? navigator.setAppBadge(told.waiting ?? 0) : null;
  event.waitUntil(Promise.all([shown, badge]));
});

// The browser has replaced its keys: the server has to know the new ones.
self.addEventListener('pushsubscriptionchange', (event) => {
  const options = event.oldSubscription?.options ?? { userVisibleOnly: true };
  const renewed = self.registration.pushManager.subscribe(options).then((found) => {
    const { endpoint, keys } = found.toJSON();
    return fetch('/api/me/notices/push', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ endpoint, p256dh: keys.p256dh, auth: keys.auth }),
    });
  });
  event.waitUntil(renewed.catch(() => undefined));
});

// A notice leads to its table: in the window that shows it, else in an open one, else in a new one.
async function open(path) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find((client) => new URL(client.url).pathname === path);
  if (there) return there.focus();
  for (const client of windows) {
    if (new URL(client.url).pathname.startsWith('/t/')) continue; // another game goes on there
    const moved = await client.navigate(path).catch(() => null);
    if (moved) return moved.focus();
  }
  return self.clients.openWindow(path);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data ?? '/'));
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  if (KEPT.test(url.pathname)) event.respondWith(freshData(event.request));
  if (url.pathname.startsWith('/api/')) return;
  if (event.request.mode === 'navigate') event.respondWith(freshFirst(event.request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(keptFirst(event.request));
});
