// A record from a file: read here as text, read by the rules at the server, and sent along with every question.
import type { Source } from './film';
import type * as protocol from './protocol';
import type { Geometry } from './views';
import { call, type Fairness, type Table } from './wire';
import { decimal, type Note } from './words.svelte';

const MOST = 16 * 2 ** 20; // bytes that the server takes

/** What is in a record; the protocol does not know what a game's boards contain. */
export type Brought = protocol.RecordSummary & { geometry: Geometry };

/** The text of a file; or what is wrong with it. */
export async function text(file: File): Promise<{ record: string } | { wrong: Note }> {
  const large = (bytes: number): { wrong: Note } => ({ wrong: { id: 'record.large', with: { name: file.name, n: decimal(bytes / 2 ** 20, 1), most: MOST / 2 ** 20 } } });
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

export const open = (record: string): Promise<Brought> => call('/records', { record });
export const steps = (record: string): Source => (seat, first, count) => call('/records/replay', { record, seat, first, count });
export const dice = (record: string): Promise<Fairness> => call('/records/fairness', { record });

/** The lines of one game of several. */
export const piece = (record: string, [first, last]: [number, number]): string => record.split(/\r\n|\r|\n/).slice(first - 1, last).join('\n');

/** As if it had been played at a table, by people of whom nothing but the seat is known. */
export function tableOf(brought: Brought): Table {
  const nobody = { kind: 'person' as const, name: '', bot: null, host: false, device: 0, here: true, away: null, covered: false, word: '', vacated: null };
  return {
    id: '',
    game: brought.game,
    options: brought.options,
    public: false,
    status: 'over',
    seats: brought.seats.map((called, seat) => ({ seat, called, ...nobody })),
    watching: 0,
    rolls: 'auto',
    clock: null,
    pace: 0,
    dice: { kind: 'fair', commitment: null, words: null, seed: null },
    votes: [],
    scores: null,
    rematch: null,
  };
}
