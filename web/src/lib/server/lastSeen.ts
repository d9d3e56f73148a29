// The positions of the reader's games that were seen last, for reading without a network. They stay in this browser.
import { recentTables } from './api';
import type { MyGame, News, View, Welcome } from './protocol';

export interface Seen {
  at: number;
  welcome: Welcome;
  position: View | News;
}

const key = (table: string): string => `quadriga.seen.${table}`;

/** Keeps what was seen of a table, in place of what was seen before. */
export function keepSeen(table: string, seen: Seen): void {
  try {
    localStorage.setItem(key(table), JSON.stringify(seen));
  } catch {
    /* then it cannot be read without a network */
  }
}

/** Returns what was seen last of a table, as a position in which nothing can be played. */
export function lastSeen(table: string): Seen | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key(table)) ?? 'null') as Seen | null;
    if (!kept) return null;
    const quiet = { legal: null, undo: false, roll: false, clock: null, answer_ms: null };
    return { ...kept, position: { ...kept.position, ...quiet, type: 'view' } as View };
  } catch {
    return null;
  }
}

const LIST = 'quadriga.games';

/** Keeps the list of the reader's games. */
export function keepGames(games: MyGame[]): void {
  try {
    localStorage.setItem(LIST, JSON.stringify(games));
  } catch {
    /* then there is no list without a network */
  }
}

/** Returns the reader's games as they were last; null if nothing is kept. */
export function lastGames(): MyGame[] | null {
  try {
    return JSON.parse(localStorage.getItem(LIST) ?? 'null') as MyGame[] | null;
  } catch {
    return null;
  }
}

/** Forgets everything that can be read without a network: somebody else may use this browser now. */
export function forgetSeen(): void {
  try {
    localStorage.removeItem(LIST);
    for (const table of recentTables()) localStorage.removeItem(key(table));
    void caches.delete('quadriga-data-1').catch(() => undefined);
  } catch {
    /* there is nothing kept, then */
  }
}
