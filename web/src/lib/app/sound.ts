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

/** A short burst of noise: something that brushes or strikes. */
function brush(pitch: number, length: number, loud: number, after = 0): void {
  if (!context) return;
  const start = context.currentTime + after;
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (2 * Math.random() - 1) * (1 - i / samples.length);
  const noise = context.createBufferSource();
  const filter = context.createBiquadFilter();
  const volume = context.createGain();
  noise.buffer = buffer;
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  volume.gain.value = loud;
  noise.connect(filter).connect(volume).connect(context.destination);
  noise.start(start);
}

/** A note of a trumpet. */
function blow(pitch: number, length: number, after: number): void {
  if (!context) return;
  const start = context.currentTime + after;
  const tone = context.createOscillator();
  const volume = context.createGain();
  const filter = context.createBiquadFilter();
  tone.type = 'sawtooth';
  tone.frequency.value = pitch;
  filter.type = 'lowpass';
  filter.frequency.setValueAtTime(pitch * 2, start);
  filter.frequency.linearRampToValueAtTime(pitch * 5, start + 0.06);
  volume.gain.setValueAtTime(0.001, start);
  volume.gain.linearRampToValueAtTime(0.09, start + 0.03);
  volume.gain.setValueAtTime(0.09, start + length - 0.05);
  volume.gain.linearRampToValueAtTime(0.001, start + length);
  tone.connect(filter).connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

const SOUNDS = {
  dice: () => [0, 0.07, 0.15].forEach((after, i) => knock(900 - i * 130, 0.05, 0.12, after)),
  move: () => knock(320, 0.08, 0.16),
  card: () => brush(2600, 0.09, 0.35),
  coin: () => [1568, 2093].forEach((pitch, i) => knock(pitch, 0.12, 0.07, i * 0.05)),
  hammer: () => {
    knock(180, 0.14, 0.4);
    brush(700, 0.05, 0.5);
  },
  capture: () => [330, 247].forEach((pitch, i) => knock(pitch, 0.12, 0.18, i * 0.09)),
  fanfare: () => [392, 523, 659, 784].forEach((pitch, i) => blow(pitch, i === 3 ? 0.45 : 0.13, i * 0.14)), // Ave Caesar!
  turn: () => [523, 659].forEach((pitch, i) => knock(pitch, 0.22, 0.14, i * 0.12)),
  over: () => [392, 523, 659, 784].forEach((pitch, i) => knock(pitch, 0.3, 0.14, i * 0.14)),
};
export type Sound = keyof typeof SOUNDS;

export function sound(what: Sound): void {
  // Browsers allow no sound before the first click.
  if (!settings.sound || navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume().catch(() => undefined); // made before the first click
  SOUNDS[what]();
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
