// Ways over the course, for drawing only: what may be driven the server has said.
import type { CourseGeometry } from '../../lib/views';
import type { Act } from '../acts';

export interface Way extends Act {
  card: number;
  space: string | null; // null is the finish
}

export const ways = (acts: Act[]): Way[] =>
  acts
    .map((act) => ({ act, found: /^(\d) (\S+)$/.exec(act.text) }))
    .filter(({ found }) => found)
    .map(({ act, found }) => ({ ...act, card: Number(found![1]), space: found![2] === 'finish' ? null : found![2] }));

/** A shortest way between two spaces, along the steps of the course. */
export function route(shape: CourseGeometry, direction: 'cw' | 'ccw', from: string, to: string): string[] | null {
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
