// A small service worker of our own: the page opens without the network and says so; nothing of a game is ever cached.
const SHELL = 'quadriga-shell-1';

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
        Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))),
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

async function keptFirst(request) {
  const cache = await caches.open(SHELL);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

// A notification of a turn leads back to its table.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const path = event.notification.data ?? '/';
  event.waitUntil(
    self.clients.matchAll({ type: 'window' }).then((open) => {
      const there = open.find((client) => new URL(client.url).pathname === path);
      return there ? there.focus() : self.clients.openWindow(path);
    }),
  );
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api/'))
    return;
  if (event.request.mode === 'navigate') event.respondWith(freshFirst(event.request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(keptFirst(event.request));
});
