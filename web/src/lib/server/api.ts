// The server's REST interface; docs/protocol.md describes all of it.
import type { Geometry, View } from './views';
import type { Note } from '../text/words.svelte';

export interface Texts {
  en: string;
  fr: string;
}

export interface Option {
  name: string;
  type: 'choice' | 'whole' | 'flag' | 'several' | 'other' | 'document';
  default: unknown;
  defaults?: unknown[]; // by seats, from the fewest, where they differ
  choices?: string[];
  low?: number;
  high?: number;
  least?: number;
  most?: number;
  repeats?: boolean;
  numbers?: { low: number; high: number; least: number; most: number }; // a list of whole numbers of one's own
}

export interface Game {
  id: string;
  title: Texts;
  about: Texts;
  least: number;
  most: number;
  usual: number; // seats of a table if nobody chooses
  hidden: boolean;
  windows: string[];
  bots: string[];
  rules: boolean; // there is a page of rules
  options: Option[];
}

export interface Seat {
  seat: number;
  called: Note;
  kind: 'person' | 'bot' | 'open';
  name: string | null;
  bot: string | null;
  host: boolean;
  device: number;
  here: boolean;
  away: number | null;
  covered: boolean;
  word: string;
  vacated: Vacated | null;
}

/** A seat that a vote has emptied; `host` is the seat that decides about it, null where the host has none. */
export interface Vacated {
  name: string;
  asks: boolean;
  invited: boolean;
  host: number | null;
}

export interface Vote {
  kind: 'remove' | 'pause' | 'resume' | 'end';
  seat?: number | null;
  by: number[];
  of: number[];
  need: number;
}

export interface Table {
  id: string;
  game: string;
  options: Record<string, unknown>;
  public: boolean;
  status: 'waiting' | 'playing' | 'paused' | 'over' | 'ended' | 'closed';
  seats: Seat[];
  watching: number;
  rolls: 'auto' | 'hand';
  clock: { kind: 'move' | 'player'; seconds: number; increment?: number } | null;
  pace: number;
  dice: { kind: 'fair' | 'seeded'; commitment?: string; words?: string[] | null; seed?: string | number | null };
  votes: Vote[];
  scores: number[] | null;
  rematch: string | null;
}

export interface Event {
  number: number;
  kind: 'play' | 'chance' | 'undo' | 'asked';
  seat: number | null;
  text: string | null;
  notes?: Note[];
  by?: 'person' | 'bot';
  ref?: string | null;
  section?: Record<string, unknown> | null;
}

export interface Step {
  event: Event | null;
  view: View;
  scores: number[];
}

export interface Fairness {
  commitment: string;
  seed: string;
  words: string[];
  events: { seat: number | null; text: string; outcomes: [string, number][] }[];
}

/** An error of the server, with its text in both languages. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly text: Texts,
    readonly status: number,
  ) {
    super(code);
  }
}

const UNREACHED: Texts = {
  en: 'The server cannot be reached. Is it still running?',
  fr: 'Le serveur ne répond pas. Tourne-t-il encore ?',
};

export async function call<T>(path: string, body?: unknown, token?: string | null): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, { method: body === undefined ? 'GET' : 'POST', headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refusal('wire.unreached', UNREACHED, 0);
  }
  if (!answer.ok) {
    const fault = await answer.json().catch(() => ({}));
    const plain = `${answer.status} ${answer.statusText}`;
    throw new Refusal(fault.code ?? 'wire.failed', fault.text ?? { en: plain, fr: plain }, answer.status);
  }
  return (await answer.json()) as T;
}

let known: Promise<Game[]> | null = null;

export function games(): Promise<Game[]> {
  known ??= call<{ games: Game[] }>('/games').then(
    (answer) => answer.games,
    (fault) => {
      known = null;
      throw fault;
    },
  );
  return known;
}

export const geometryOf = (table: string): Promise<Geometry> => call(`/tables/${encodeURIComponent(table)}/geometry`);

// Tokens are kept per table in this browser and never appear in an address.

export function token(table: string): string | null {
  try {
    return localStorage.getItem(`quadriga.token.${table}`);
  } catch {
    return memory.get(table) ?? null;
  }
}

const memory = new Map<string, string>();

export function keepToken(table: string, value: string): void {
  memory.set(table, value);
  try {
    localStorage.setItem(`quadriga.token.${table}`, value);
    const tables: string[] = JSON.parse(localStorage.getItem('quadriga.tables') ?? '[]');
    const recent = [table, ...tables.filter((other) => other !== table)];
    for (const old of recent.slice(30)) localStorage.removeItem(`quadriga.token.${old}`);
    localStorage.setItem('quadriga.tables', JSON.stringify(recent.slice(0, 30)));
  } catch {
    /* only in memory, then */
  }
}

export function recentTables(): string[] {
  try {
    return JSON.parse(localStorage.getItem('quadriga.tables') ?? '[]');
  } catch {
    return [];
  }
}
