// Where the button of the finish stands: at the line, and clear of the chariots as far as there is room.
import type { Point } from '../../../lib/server/views';
import type { CourseGeometry } from '../view';

export const FINISH = [62, 22] as const; // half of the button's width and height
const CLEAR = 36; // from the centre of a chariot
const ALONG = [0.5, 0.3, 0.7, 0.1, 0.9, 0, 1]; // places on the line
const AHEAD = [0, 1, 1.6]; // half widths of the button beyond the line

/** Returns the distance of a point from the button at a place. */
export function distance([x, y]: Point, [cx, cy]: Point, tall: boolean): number {
  const [wide, high] = tall ? [FINISH[1], FINISH[0]] : FINISH; // a turned board is drawn on its side
  return Math.hypot(Math.max(0, Math.abs(x - cx) - wide), Math.max(0, Math.abs(y - cy) - high));
}

/** Returns the first place that is clear of all chariots, or else the one that is furthest from them. */
export function finishPlace(
  { line }: Pick<CourseGeometry, 'line'>,
  heading: number,
  chariots: Point[],
  tall: boolean,
): Point {
  const [[x, y], [tx, ty]] = [line[0], line[line.length - 1]];
  const turn = (heading * Math.PI) / 180;
  const places = AHEAD.flatMap((ahead) =>
    ALONG.map((along): Point => [
      x + (tx - x) * along + Math.cos(turn) * ahead * FINISH[0],
      y + (ty - y) * along + Math.sin(turn) * ahead * FINISH[0],
    ]),
  );
  const room = (place: Point): number =>
    Math.min(CLEAR, ...chariots.map((chariot) => distance(chariot, place, tall)));
  return places.reduce((best, place) => (room(place) > room(best) ? place : best));
}
