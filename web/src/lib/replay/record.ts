// A record from a file. The server checks it by the rules and keeps nothing, so every request carries the whole record.
import type { Source } from './stepCache';
import type * as protocol from '../server/protocol';
import type { Geometry } from '../server/views';
import { call, type Fairness, type Table } from '../server/api';
import { decimal, type Note } from '../text/words.svelte';

const MOST = 16 * 2 ** 20; // bytes that the server takes

/** The content of a record; the protocol does not know what a game's boards contain. */
export type OpenedRecord = protocol.RecordSummary & { geometry: Geometry };

/** Returns the text of a file, or a note about what is wrong with it. */
export async function readFile(file: File): Promise<{ record: string } | { wrong: Note }> {
  const large = (bytes: number): { wrong: Note } => ({
    wrong: {
      id: 'record.large',
      with: { name: file.name, n: decimal(bytes / 2 ** 20, 1), most: MOST / 2 ** 20 },
    },
  });
  if (file.size > MOST) return large(file.size);
  try {
    const record = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    if (!record.trim()) return { wrong: { id: 'record.empty', with: { name: file.name } } };
    const sent = new TextEncoder().encode(JSON.stringify({ record })).length + 100;
    return sent > MOST ? large(sent) : { record };
  } catch {
    return { wrong: { id: 'record.utf8', with: { name: file.name } } };
  }
}

export const openRecord = (record: string): Promise<OpenedRecord> => call('/records', { record });
export const recordSteps =
  (record: string): Source =>
  (seat, first, count) =>
    call('/records/replay', { record, seat, first, count });
export const recordFairness = (record: string): Promise<Fairness> => call('/records/fairness', { record });

/** Returns the lines of one game of several. */
export const gameLines = (record: string, [first, last]: [number, number]): string =>
  record
    .split(/\r\n|\r|\n/)
    .slice(first - 1, last)
    .join('\n');

/** Returns a table for showing a record; older records do not name the players. */
export function tableOf(brought: OpenedRecord): Table {
  const seatOf = (seat: number) => {
    const { name, bot } = brought.players[seat] ?? { name: '', bot: null };
    return { kind: bot === null ? ('person' as const) : ('bot' as const), name: bot ?? name, bot };
  };
  const nobody = {
    reserved: null,
    host: false,
    device: 0,
    here: true,
    away: null,
    covered: false,
    vacation: null,
    word: '',
    vacated: null,
  };
  return {
    id: '',
    coach: false,
    beat: null,
    game: brought.game,
    options: brought.options,
    public: false,
    status: 'over',
    seats: brought.seats.map((called, seat) => ({ seat, called, ...seatOf(seat), ...nobody })),
    watching: 0,
    rolls: 'auto',
    clock: null,
    days: null,
    deadline: null,
    pace: 0,
    undo: false,
    turn: null,
    dice: { kind: 'fair', commitment: null, words: null, seed: null },
    votes: [],
    scores: null,
    rematch: null,
    tournament: null,
  };
}
