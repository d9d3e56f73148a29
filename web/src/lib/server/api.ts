// The server's REST interface; docs/protocol.md describes all of it. The types of the protocol are generated:
// protocol.ts.
import type * as protocol from './protocol';
import type { Texts } from './protocol';
import type { Geometry, View } from './views';
import type { Note } from '../text/words.svelte';

export type { Fairness, Game, Option, Table, TableSeat as Seat, Texts, Vacated } from './protocol';
export type { OpenVote as Vote } from './protocol';

/**
 * An event of the log. The page skips those of kind `asked`, which have neither seat nor text; notes of its
 * own have no rule.
 */
export type Event = Omit<protocol.Event, 'seat' | 'text' | 'notes'> & {
  seat: number | null;
  text: string | null;
  notes?: Note[];
};

/** A step of a replay; the protocol does not know what a game's view contains. */
export type Step = Omit<protocol.Step, 'event' | 'view'> & { event: Event | null; view: View };

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

export const unreached = (): Refusal => new Refusal('wire.unreached', UNREACHED, 0);

/** In place of a token: the server knows whose device this is, by its cookie. */
export const BY_DEVICE = 'device';
const NEEDS_IDENTITY = /^\/tables(\/[^/]+\/(join|rematch|continue))?$/;

export async function call<T>(path: string, body?: unknown, token?: string | null): Promise<T> {
  if (body !== undefined && NEEDS_IDENTITY.test(path)) await introduce();
  return send<T>(path, body, token);
}

async function send<T>(path: string, body?: unknown, token?: string | null): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token && token !== BY_DEVICE) headers.Authorization = `Bearer ${token}`;
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw unreached();
  }
  if (!answer.ok) {
    const fault = (await answer.json().catch(() => ({}))) as Partial<protocol.Refusal>;
    const plain = `${answer.status} ${answer.statusText}`;
    throw new Refusal(fault.code ?? 'wire.failed', fault.text ?? { en: plain, fr: plain }, answer.status);
  }
  return (await answer.json()) as T;
}

let introduced: Promise<unknown> | null = null;

/** Lets the server know this device before the first action, and hands over what an older page has kept. */
export function introduce(): Promise<unknown> {
  introduced ??= send('/me', { label: deviceName() }).then(handOver, () => (introduced = null));
  return introduced;
}

/** Forgets that the server knows this device, after signing out for example. */
export function forgetIntroduction(): void {
  introduced = null;
}

async function handOver(): Promise<void> {
  const tokens = Object.fromEntries(
    recentTables()
      .map((table) => [table, token(table)] as const)
      .filter(([, kept]) => kept !== null && kept !== BY_DEVICE),
  ) as Record<string, string>;
  if (!Object.keys(tokens).length) return;
  try {
    await send('/me/handover', { tokens });
    for (const table of Object.keys(tokens)) localStorage.setItem(`quadriga.token.${table}`, BY_DEVICE);
  } catch {
    /* the tokens stay valid, and are handed over next time */
  }
}

const BROWSERS = ['Edg', 'Firefox', 'Chrome', 'Safari'];
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'];

/** Returns a name for this device, for the list of devices. */
export function deviceName(): string {
  const agent = navigator.userAgent;
  const found = [BROWSERS, SYSTEMS].map((names) => names.find((name) => agent.includes(name)));
  return found.filter(Boolean).join(', ').replace('Edg', 'Edge');
}

const asked = new Map<string, Promise<unknown>>();

/** Asks for something that stays the same while the page is open; after a failure it is asked for again. */
export function callOnce<T>(path: string): Promise<T> {
  const earlier = asked.get(path);
  if (earlier) return earlier as Promise<T>;
  const answer = call<T>(path);
  asked.set(path, answer);
  answer.catch(() => asked.delete(path));
  return answer;
}

export const games = async (): Promise<protocol.Game[]> => (await callOnce<protocol.Games>('/games')).games;

export const geometryOf = (table: string): Promise<Geometry> =>
  call(`/tables/${encodeURIComponent(table)}/geometry`);

// Tokens are kept per table in this browser and never appear in an address.

export function token(table: string): string | null {
  try {
    return localStorage.getItem(`quadriga.token.${table}`);
  } catch {
    return memory.get(table) ?? null;
  }
}

/** Returns the token that a socket sends; null where the cookie says who this is. */
export const tokenToSend = (table: string): string | null => {
  const kept = token(table);
  return kept === BY_DEVICE ? null : kept;
};

const memory = new Map<string, string>();

export function keepToken(table: string, given: string | null): void {
  const value = given ?? BY_DEVICE;
  memory.set(table, value);
  try {
    localStorage.setItem(`quadriga.token.${table}`, value);
    const recent = [table, ...recentTables().filter((other) => other !== table)];
    for (const old of recent.slice(30))
      for (const what of ['token', 'seats', 'seen']) localStorage.removeItem(`quadriga.${what}.${old}`);
    localStorage.setItem('quadriga.tables', JSON.stringify(recent.slice(0, 30)));
  } catch {
    /* only in memory, then */
  }
}

/** Remembers the reader's seats at a table, so that the first page can say whose turn it is. */
export function keepSeats(table: string, seats: number[]): void {
  try {
    if (seats.length) localStorage.setItem(`quadriga.seats.${table}`, JSON.stringify(seats));
    else localStorage.removeItem(`quadriga.seats.${table}`);
  } catch {
    /* then the first page does not know */
  }
}

export function ownSeats(table: string): number[] {
  try {
    return JSON.parse(localStorage.getItem(`quadriga.seats.${table}`) ?? '[]') as number[];
  } catch {
    return [];
  }
}

export function recentTables(): string[] {
  try {
    return JSON.parse(localStorage.getItem('quadriga.tables') ?? '[]') as string[];
  } catch {
    return [];
  }
}
