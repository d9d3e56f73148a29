// Pushes to this browser, and the number of waiting games on the icon of the installed page.

/** Says why this browser cannot take pushes; null if it can. */
export function whyNoPush(): 'plain' | 'iphone' | 'none' | 'denied' | null {
  if (!isSecureContext) return 'plain';
  const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || isIpad();
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return isApple ? 'iphone' : 'none';
  return Notification.permission === 'denied' ? 'denied' : null;
}

/** An iPad says that it is a Mac, but has a screen to touch. */
const isIpad = (): boolean => navigator.userAgent.includes('Mac') && navigator.maxTouchPoints > 1;

export interface Subscribed {
  endpoint: string;
  p256dh: string;
  auth: string;
}

const ANSWER_MS = 20_000; // a browser that does not reach its maker's service tries for ever

/** Asks the browser to take pushes of the server with this key; null if the reader does not allow it. Throws if the
 * browser's service refuses, or does not answer. */
export async function subscribe(key: string): Promise<Subscribed | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const worker = await navigator.serviceWorker.ready;
  const asked = worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no answer')), ANSWER_MS));
  const found = await Promise.race([asked, late]);
  const { endpoint, keys } = found.toJSON();
  return { endpoint: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' };
}

/** Ends the pushes to this browser. */
export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

/** Shows on the icon of the installed page how many games wait. */
export function showWaiting(count: number): void {
  if ('setAppBadge' in navigator) void navigator.setAppBadge(count).catch(() => undefined);
}
