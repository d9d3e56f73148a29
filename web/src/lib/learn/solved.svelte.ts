// The puzzles that were tried on this device, and the days in a row on which a puzzle of the day was solved.
// Every game has its puzzle of the day; a day counts if one of them was solved.
import { firstGame } from './puzzles';

const KEY = 'quadriga.puzzles';

interface Kept {
  tried: Record<string, boolean>; // by id: whether the first answer was right
  days: number[]; // days whose puzzle was solved at the first attempt
}

function read(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Kept>;
    return { tried: kept.tried ?? {}, days: Array.isArray(kept.days) ? kept.days : [] };
  } catch {
    return { tried: {}, days: [] };
  }
}

const kept: Kept = $state(read());

/** Returns the key of a puzzle. Those of the first game have no game in it: once they were the only ones. */
const keyOf = (game: string, id: string): string => (game === firstGame() ? id : `${game}/${id}`);

export const resultOf = (game: string, id: string): boolean | null => kept.tried[keyOf(game, id)] ?? null;

/** Whether a puzzle of this day was solved. */
export const isSolved = (day: number): boolean => kept.days.includes(day);

/** Returns how many days in a row, up to this one or the one before, a puzzle of the day was solved. */
export function streak(day: number): number {
  let from = kept.days.includes(day) ? day : day - 1;
  let count = 0;
  while (kept.days.includes(from)) {
    count++;
    from--;
  }
  return count;
}

/** Remembers the first answer to a puzzle; `day` is given if it is the puzzle of that day. */
export function remember(game: string, id: string, right: boolean, day: number | null): void {
  const key = keyOf(game, id);
  if (key in kept.tried && day === null) return;
  if (!(key in kept.tried)) kept.tried[key] = right;
  if (day !== null && right && !kept.days.includes(day)) kept.days = [...kept.days, day].slice(-400);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    /* only until the page is left, then */
  }
}
