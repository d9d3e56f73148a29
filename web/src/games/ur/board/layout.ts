// The places of spaces and markers, on a wide and on a tall screen.
import type { Point } from '../../../lib/server/views';
import type { UrView } from '../view';

export const CELL = 100;
const TRAY = 80;
const LABEL_WIDTH = 82;
const LABEL_HEIGHT = 34;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Tray extends Box {
  seat: number;
  kind: 'home' | 'off';
  label: Box; // for its word and number; no marker lies there
}

export interface Layout {
  width: number;
  height: number;
  tall: boolean;
  corner: (space: string) => Point;
  centre: (space: string) => Point;
  home: (seat: number, i: number) => Point;
  off: (seat: number, i: number, count: number) => Point;
  trays: Tray[];
  body: string;
  dice: Point;
}

/** Returns the places on the board. The side of `nearSeat` is at the bottom, or on the right of a tall screen. */
export function layout(tall: boolean, markers: number, nearSeat = 1): Layout {
  const column = (space: string): number => Number(space[1]) - 1;
  const row = (space: string): number => (nearSeat === 1 ? 'ABC' : 'CBA').indexOf(space[0]);
  const pad = 26;
  const left = tall ? TRAY + pad + 14 : pad;
  const top = tall ? pad : TRAY + pad + 14;
  const corner = (space: string): Point =>
    tall
      ? [left + row(space) * CELL, top + column(space) * CELL]
      : [left + column(space) * CELL, top + row(space) * CELL];
  const centre = (space: string): Point => {
    const [x, y] = corner(space);
    return [x + CELL / 2, y + CELL / 2];
  };
  const across = 3 * CELL;
  const near = (seat: number): number =>
    seat !== nearSeat ? TRAY / 2 + 6 : (tall ? left : top) + across + pad + TRAY / 2 + 8;
  const gap = Math.min(52, 240 / Math.max(1, markers - 1));
  const home = (seat: number, i: number): Point => {
    const along = (tall ? top : left) + 36 + i * gap;
    return tall ? [near(seat), along] : [along, near(seat)];
  };
  const off = (seat: number, i: number, count: number): Point => {
    const step = Math.min(46, 150 / Math.max(1, count - 1));
    const along = (tall ? top : left) + 8 * CELL - 38 - i * step;
    return tall ? [near(seat), along] : [along, near(seat)];
  };
  const trays: Layout['trays'] = [];
  for (const seat of [0, 1]) {
    const start = near(seat) - TRAY / 2 + 4;
    const a = tall ? top : left;
    const box = (from: number, long: number, kind: 'home' | 'off'): void => {
      const tray = tall
        ? { x: start, y: from, width: TRAY - 8, height: long }
        : { x: from, y: start, width: long, height: TRAY - 8 };
      const room = tall ? LABEL_HEIGHT : LABEL_WIDTH;
      const at = kind === 'home' ? from + long - room : from;
      const label = tall ? { ...tray, y: at, height: room } : { ...tray, x: at, width: room };
      trays.push({ ...tray, seat, kind, label });
    };
    box(a - 4, 410, 'home');
    box(a + 8 * CELL - 310, 314, 'off');
  }
  // The outline of the board: the large block, the bridge, the small block.
  const b = 12;
  const points: Point[] = [
    [-b, -b],
    [400 + b, -b],
    [400 + b, 100 - b],
    [600 - b, 100 - b],
    [600 - b, -b],
    [800 + b, -b],
    [800 + b, 300 + b],
    [600 - b, 300 + b],
    [600 - b, 200 + b],
    [400 + b, 200 + b],
    [400 + b, 300 + b],
    [-b, 300 + b],
  ];
  const body =
    'M' +
    points.map(([x, y]) => (tall ? [left + y, top + x] : [left + x, top + y]).join(' ')).join('L') +
    'Z';
  const long = 2 * pad + 8 * CELL;
  const wide = 2 * (TRAY + 14 + pad) + across;
  return {
    width: tall ? wide : long,
    height: tall ? long : wide,
    tall,
    corner,
    centre,
    home,
    off,
    trays,
    body,
    dice: tall ? [left + 50, top + 500] : [left + 500, top + 50],
  };
}

/** Returns a way that is moved to the right of its own direction, at corners along both legs. */
export function alongside(way: Point[], distance: number): Point[] {
  const right = (from: Point, to: Point): Point => {
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
    return [-(to[1] - from[1]) / long, (to[0] - from[0]) / long];
  };
  return way.map((point, i) => {
    const before = i > 0 ? right(way[i - 1], point) : null;
    const after = i < way.length - 1 ? right(point, way[i + 1]) : null;
    const sides = [before, after].filter((side): side is Point => side !== null);
    const isTurn = before !== null && after !== null && before[0] * after[0] + before[1] * after[1] > 0.9;
    const [x, y] = sides.slice(0, isTurn ? 1 : 2).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
    return [point[0] + x * distance, point[1] + y * distance];
  });
}

export interface Piece {
  id: number;
  seat: number;
  dotted: boolean;
  step: number; // 0 at home, Infinity off
}

/**
 * What a click on a marker does. It moves a free one. A stuck one, of the reader's own, tells why it cannot move. A plain
 * one may tell what it is. One that is covered by a space that can be moved to does nothing: the click means the space.
 */
export type PieceKind = 'free' | 'stuck' | 'plain' | 'covered';

/** Gives every marker the same id from view to view, so that each can be animated. */
export function follow(before: Piece[], view: UrView, dottedOff: boolean): Piece[] {
  const found: Piece[] = [];
  for (const seat of [0, 1]) {
    const places: { step: number; dotted: boolean }[] = [
      ...Array.from({ length: view.home[seat] }, () => ({ step: 0, dotted: false })),
      ...view.board.filter((m) => m.seat === seat).map((m) => ({ step: m.step, dotted: m.dotted })),
      ...Array.from({ length: view.off[seat] }, () => ({ step: Infinity, dotted: dottedOff })),
    ];
    const old = before.filter((piece) => piece.seat === seat);
    const free = new Set(old.map((piece) => piece.id));
    const taken: (Piece | null)[] = places.map((place) => {
      const same = old.find(
        (piece) =>
          free.has(piece.id) &&
          piece.step === place.step &&
          (place.step === Infinity || piece.dotted === place.dotted),
      );
      if (!same) return null;
      free.delete(same.id);
      return { ...same, dotted: place.dotted };
    });
    places.forEach((place, i) => {
      if (taken[i]) return;
      const rest = old.filter((piece) => free.has(piece.id));
      const behind = rest.filter((piece) => piece.step < place.step).sort((a, b) => b.step - a.step)[0];
      const chosen = behind ?? rest[0];
      if (chosen) free.delete(chosen.id);
      taken[i] = { id: chosen?.id ?? seat * 100 + i, seat, ...place };
    });
    found.push(...(taken as Piece[]));
  }
  return found.sort((a, b) => a.id - b.id);
}
