// Animations show what happened. They are short, any click ends them, and settings can switch them off.
import { isMotionOff } from '../app/settings.svelte';
import type { Point } from '../server/views';

const running = new Set<Animation>();

/** Ends every animation at once. */
export function finishAnimations(): void {
  for (const animation of running) animation.finish();
}

function track(animation: Animation): void {
  running.add(animation);
  animation.onfinish = animation.oncancel = () => running.delete(animation);
}

const place = ([x, y]: Point, more = ''): string => `translate(${x}px, ${y}px) ${more}`;

/** Moves an element of an SVG through places, to the last of them. */
export function animateAlong(element: SVGElement | null, places: Point[], pace = 90, turns?: number[]): void {
  if (!element || places.length < 2 || isMotionOff() || document.hidden) return;
  const frames = places.map((p, i) => ({ transform: place(p, turns ? `rotate(${turns[i]}deg)` : '') }));
  const duration = Math.min(pace * (places.length - 1) + 120, 900);
  track(element.animate(frames, { duration, easing: 'ease-in-out' }));
}

/** Plays frames on an element, unless motion is off. */
export function play(element: Element | null, frames: Keyframe[], duration: number): void {
  if (!element || isMotionOff() || document.hidden) return;
  track(element.animate(frames, { duration, easing: 'cubic-bezier(.2,.7,.3,1)' }));
}

/** Changes headings by full turns so that an animation never goes the long way round. */
export function unwindTurns(headings: number[]): number[] {
  const found: number[] = [];
  for (const heading of headings) {
    const before = found.length ? found[found.length - 1] : heading;
    found.push(before + ((((heading - before) % 360) + 540) % 360) - 180);
  }
  return found;
}
