// Questions about the reader's finished games.
import { call } from './api';
import type { MyGames } from './protocol';

/** The finished games that the reader wants to see. An empty text does not matter. */
export interface Wanted {
  game: string;
  /** The reader's place, 0 without a result. */
  place: string;
  /** The name of somebody else at the table. */
  other: string;
  /** The first and the last day, as a field for dates has them. */
  since: string;
  until: string;
}

export const EVERYTHING: Wanted = { game: '', place: '', other: '', since: '', until: '' };

export const isEverything = (wanted: Wanted): boolean => Object.values(wanted).every((text) => !text);

/** Returns the moment at which a day begins, or another one some days later. */
function beginning(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return isNaN(date.getTime()) ? '' : String(Math.max(0, date.getTime()));
}

/** Returns a page of finished games, the last first; `before` is the `next` of the page before. */
export function finishedGames(wanted: Wanted, before: string | null): Promise<MyGames> {
  const asked = {
    ...wanted,
    other: wanted.other.trim(),
    since: wanted.since && beginning(wanted.since),
    until: wanted.until && beginning(wanted.until, 1),
    before: before ?? '',
  };
  const given = Object.entries(asked).filter(([, text]) => text);
  return call<MyGames>(`/me/history?${new URLSearchParams(given).toString()}`);
}
