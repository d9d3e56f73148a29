// Drives: which squares the server says can be reached, the way to each, and choosing one by arrow keys.
import type { Point } from '../../lib/server/views';
import type { Act } from '../module';
import type { BenGeometry, BenView } from './view';

/** Returns the squares to step on, in order, for a drive that ends on a square. */
export function wayTo(view: BenView, square: string): string[] {
  const way: string[] = [];
  for (
    let here: string | undefined = square;
    here !== undefined && here in view.reach;
    here = view.reach[here]
  )
    way.unshift(here);
  return way;
}

/** Returns where the chariot that moves is. */
export const startOf = (view: BenView): string | null =>
  view.move ? view.chariots[view.move.chariot].square : null;

/** Whether the reader may still react to their own roll: choosing a square passes, and drives there. */
export const isOwnRoll = (view: BenView): boolean =>
  view.window === 'RO' && Object.keys(view.reach).length > 0;

/** Whether a whole way can be chosen now. */
export const canDrive = (view: BenView, acts: Act[]): boolean =>
  acts.some((act) => /^(step|shift) /.test(act.text)) || (acts.length > 0 && isOwnRoll(view));

/** Returns the way straight on, as far as it goes. */
export function straightOn(view: BenView, geometry: BenGeometry): string[] {
  const way: string[] = [];
  let here = startOf(view);
  const { steps = 0, roll = null, chariot = 0 } = view.move ?? {};
  const allowance = isOwnRoll(view) ? view.chariots[chariot].speed + (roll ?? 0) : steps;
  while (
    here !== null &&
    way.length < allowance &&
    geometry.ahead[here] in view.reach &&
    !way.includes(geometry.ahead[here])
  ) {
    here = geometry.ahead[here];
    way.push(here);
  }
  return way;
}

const DIRECTIONS: Record<string, Point> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Returns the square that an arrow key goes to: the nearest in that direction on the screen; null if there is none. */
export function towards(key: string, from: Point, squares: Record<string, Point>): string | null {
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  let found: string | null = null;
  let least = Infinity;
  for (const [square, [x, y]] of Object.entries(squares)) {
    const [dx, dy] = [x - from[0], y - from[1]];
    const along = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    const cost = along + 2 * aside;
    if (along > 1 && aside <= 2 * along && cost < least) [found, least] = [square, cost];
  }
  return found;
}
