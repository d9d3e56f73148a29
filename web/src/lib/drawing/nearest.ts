// A finger is wider than a square: a tap beside what can be played on the board means the nearest of it.

const REACH = 28; // pixels beside something that still mean it
const PLAYED = '[role="button"]:not([aria-disabled="true"])';
const OWN = 'button, a, [role="button"], .thing'; // what answers a tap itself

const isTouch = (event: MouseEvent): boolean =>
  'pointerType' in event && event.pointerType
    ? event.pointerType === 'touch'
    : matchMedia('(pointer: coarse)').matches; // a browser whose clicks do not say it

/** Returns how far a point is from a box and, of points inside of two boxes, which is nearer to its middle. */
function farFrom(box: DOMRect, x: number, y: number): [edge: number, rank: number] {
  const dx = Math.max(box.left - x, 0, x - box.right);
  const dy = Math.max(box.top - y, 0, y - box.bottom);
  const edge = Math.hypot(dx, dy);
  const middle = Math.hypot(x - box.left - box.width / 2, y - box.top - box.height / 2);
  return [edge, edge + middle / 4];
}

/** Returns what a tap on the board means that hits nothing by itself; null if nothing is near. */
export function targetNear(event: MouseEvent): Element | null {
  const hit = event.target instanceof Element ? event.target : null;
  const board = hit?.closest('svg.board');
  if (!hit || !board || hit.closest(OWN) || !isTouch(event)) return null;
  let found: Element | null = null;
  let least = Infinity;
  for (const each of board.querySelectorAll(PLAYED)) {
    const [edge, rank] = farFrom(each.getBoundingClientRect(), event.clientX, event.clientY);
    if (edge <= REACH && rank < least) [found, least] = [each, rank];
  }
  return found;
}
