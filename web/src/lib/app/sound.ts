// A few synthesised sounds; off by default.
import { settings } from './settings.svelte';

let context: AudioContext | null = null;

function knock(pitch: number, length: number, loud: number, after = 0): void {
  if (!context) return;
  const start = context.currentTime + after;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(pitch, start);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, start + length);
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

export function sound(what: 'turn' | 'move' | 'dice' | 'over'): void {
  // Browsers allow no sound before the first click.
  if (!settings.sound || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => undefined); // made before the first click
  if (what === 'dice') [0, 0.07, 0.15].forEach((after, i) => knock(900 - i * 130, 0.05, 0.12, after));
  else if (what === 'move') knock(320, 0.08, 0.16);
  else if (what === 'turn') [523, 659].forEach((pitch, i) => knock(pitch, 0.22, 0.14, i * 0.12));
  else [392, 523, 659, 784].forEach((pitch, i) => knock(pitch, 0.3, 0.14, i * 0.14));
}

/** Notifies the user while the page is in the background. */
export function notify(title: string, body: string): void {
  if (
    !settings.notify ||
    !document.hidden ||
    typeof Notification === 'undefined' ||
    Notification.permission !== 'granted'
  )
    return;
  const how = { body, icon: '/icon-192.png', tag: 'quadriga-turn' };
  try {
    const shown = new Notification(title, how);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
  } catch {
    // Some phones only notify from a worker.
    void navigator.serviceWorker?.ready.then((worker) =>
      worker.showNotification(title, { ...how, data: location.pathname }),
    );
  }
}
