// Motion tells what happened; it is short, any click ends it, and who wants none sees highlights instead.
import { settings } from '../app/settings.svelte';
import type { Point } from '../server/views';

const running = new Set<Animation>();

export const still = (): boolean =>
  settings.motion === 'off' || (settings.motion === 'system' && matchMedia('(prefers-reduced-motion: reduce)').matches);

/** Ends every movement at once. */
export function skip(): void {
  for (const animation of running) animation.finish();
}

function track(animation: Animation): void {
  running.add(animation);
  animation.onfinish = animation.oncancel = () => running.delete(animation);
}

const place = ([x, y]: Point, more = ''): string => `translate(${x}px, ${y}px) ${more}`;

/** Drives an element of an SVG through places, to the last of them. */
export function drive(element: SVGElement | null, places: Point[], pace = 90, turns?: number[]): void {
  if (!element || places.length < 2 || still() || document.hidden) return;
  const frames = places.map((p, i) => ({ transform: place(p, turns ? `rotate(${turns[i]}deg)` : '') }));
  const duration = Math.min(pace * (places.length - 1) + 120, 900);
  track(element.animate(frames, { duration, easing: 'ease-in-out' }));
}

/** Plays frames on an element, unless motion is off. */
export function play(element: Element | null, frames: Keyframe[], duration: number): void {
  if (!element || still() || document.hidden) return;
  track(element.animate(frames, { duration, easing: 'cubic-bezier(.2,.7,.3,1)' }));
}

/** Headings as turns that never go the long way round. */
export function unwound(headings: number[]): number[] {
  const found: number[] = [];
  for (const heading of headings) {
    const before = found.length ? found[found.length - 1] : heading;
    found.push(before + ((((heading - before) % 360) + 540) % 360) - 180);
  }
  return found;
}
