// Ways over the course, for drawing only: the server says what is legal.
import type { CourseGeometry } from '../view';
import { say } from '../../../lib/text/words.svelte';
import type { Act } from '../../module';

export interface Way extends Act {
  card: number;
  space: string | null; // null is the finish
}

export const ways = (acts: Act[]): Way[] =>
  acts
    .map((act) => ({ act, found: /^(\d) (\S+)$/.exec(act.text) }))
    .filter(({ found }) => found)
    .map(({ act, found }) => ({
      ...act,
      card: Number(found![1]),
      space: found![2] === 'finish' ? null : found![2],
    }));

/** Returns the label of a move's button: its lane, with its number where several go to the same lane. */
export function laneLabel(move: Way, moves: Way[]): string {
  const lane = (other: Way): string =>
    other.space === null
      ? say('ave.finish')
      : other.space.startsWith('ALLEY')
        ? say('ave.alley')
        : say('ave.lane', { n: Number(other.space.split('.')[1]) + 1 });
  const own = lane(move);
  const alike = moves.filter((other) => lane(other) === own);
  if (alike.length < 2) return own;
  return alike.every((other) => other.space === move.space)
    ? say('ave.card', { n: move.card })
    : say('ave.lane.further', { lane: own, n: alike.indexOf(move) + 1 });
}

/** Returns a shortest way between two spaces, along the steps of the course; null where there is none. */
export function route(
  shape: CourseGeometry,
  direction: 'cw' | 'ccw',
  from: string,
  to: string,
): string[] | null {
  const steps = shape.steps?.[direction];
  if (!steps) return null;
  const before = new Map<string, string>();
  let edge = [from];
  for (let reach = 0; reach < 8 && edge.length; reach++) {
    const next: string[] = [];
    for (const space of edge)
      for (const ahead of steps[space] ?? []) {
        if (before.has(ahead) || ahead === from) continue;
        before.set(ahead, space);
        if (ahead === to) {
          const found = [to];
          while (found[0] !== from) found.unshift(before.get(found[0]) as string);
          return found;
        }
        next.push(ahead);
      }
    edge = next;
  }
  return null;
}

/** Returns the part of a course that is shown: the stands and Caesar, without the land beyond. */
export function frame(shape: CourseGeometry): { x: number; y: number; width: number; height: number } {
  const xs = shape.outer.map((point) => point[0]);
  const ys = shape.outer.map((point) => point[1]);
  const x = Math.max(0, Math.min(Math.min(...xs) - 56, shape.caesar[0] - 60));
  const y = Math.max(0, Math.min(Math.min(...ys) - 56, shape.caesar[1] - 52));
  const right = Math.min(shape.width, Math.max(Math.max(...xs) + 60, shape.caesar[0] + 60));
  const bottom = Math.min(shape.height, Math.max(Math.max(...ys) + 62, shape.caesar[1] + 52));
  return { x, y, width: right - x, height: bottom - y };
}
