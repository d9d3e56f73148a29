// Arithmetic for drawing.
import type { Line, Point } from '../server/views';

export const svgPath = (line: Line, closed = false): string =>
  'M' + line.map(([x, y]) => `${round(x)} ${round(y)}`).join('L') + (closed ? 'Z' : '');

export const round = (value: number): number => Math.round(value * 10) / 10;

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

export function isInside([x, y]: Point, line: Line): boolean {
  let odd = false;
  line.forEach(([x1, y1], i) => {
    const [x2, y2] = line[(i + 1) % line.length];
    if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) odd = !odd;
  });
  return odd;
}

/** Returns places inside a closed line, far from it and from each other, for monuments. */
export function clearings(line: Line, most = 3): { x: number; y: number; room: number }[] {
  const xs = line.map((p) => p[0]);
  const ys = line.map((p) => p[1]);
  const found: { x: number; y: number; room: number }[] = [];
  const candidates: { x: number; y: number; room: number }[] = [];
  const stride = Math.max(14, (Math.max(...xs) - Math.min(...xs)) / 60);
  for (let x = Math.min(...xs); x < Math.max(...xs); x += stride)
    for (let y = Math.min(...ys); y < Math.max(...ys); y += stride)
      if (isInside([x, y], line))
        candidates.push({ x, y, room: Math.min(...line.map((p) => distance([x, y], p))) });
  candidates.sort((a, b) => b.room - a.room);
  for (const here of candidates) {
    if (found.length === most || here.room <= 30) break;
    if (found.every((other) => distance([here.x, here.y], [other.x, other.y]) > here.room + other.room))
      found.push(here);
  }
  return found;
}

/**
 * Returns places outside a closed line and well away from it, for trees. They look scattered and are always
 * the same.
 */
export function groves(
  line: Line,
  box: { x: number; y: number; width: number; height: number },
  away: number,
  most = 16,
): Point[] {
  const found: Point[] = [];
  for (let i = 1; i < 260 && found.length < most; i++) {
    // Multiples of these two irrational numbers spread points evenly without a pattern.
    const here: Point = [
      box.x + 62 + ((i * 0.754877666) % 1) * (box.width - 90),
      box.y + 62 + ((i * 0.569840296) % 1) * (box.height - 90),
    ];
    const clear =
      !isInside(here, line) &&
      line.every((point) => distance(here, point) > away) &&
      found.every((other) => distance(here, other) > 46);
    if (clear) found.push(here);
  }
  return found.sort((a, b) => a[1] - b[1]);
}
