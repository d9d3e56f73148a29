// The other end of a table's socket: a test opens and closes it, sees what the page sends, and answers.
import { vi } from 'vitest';
import type { ClientMessage, News, ServerMessage, Table, View, Welcome } from '../../src/lib/server/protocol';

export class Socket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  static all: Socket[] = [];
  readyState = Socket.CONNECTING;
  sent: ClientMessage[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly address: string) {
    Socket.all.push(this);
  }

  static get last(): Socket {
    return Socket.all[Socket.all.length - 1];
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }

  /** Closes the socket; the page learns of it at once. */
  close(code = 1000): void {
    if (this.readyState === Socket.CLOSED) return;
    this.readyState = Socket.CLOSED;
    this.onclose?.({ code });
  }

  /** Lets the page connect; its hello is the first message. */
  open(): this {
    this.readyState = Socket.OPEN;
    this.onopen?.();
    return this;
  }

  /** Sends messages to the page. */
  tell(...messages: ServerMessage[]): this {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
    return this;
  }

  /** Returns what the page has sent since the last call. */
  heard(): ClientMessage[] {
    return this.sent.splice(0);
  }
}

/** Puts the socket in the place of the browser's, with a clock that the test sets. Returns the page's listeners. */
export function startServer(): EventTarget {
  const page = new EventTarget();
  Socket.all = [];
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.5); // delays have their mean
  vi.stubGlobal('WebSocket', Socket);
  vi.stubGlobal('location', { protocol: 'https:', host: 'play.example' });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  return page;
}

export function stopServer(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

const TABLE: Table = {
  id: 'abc',
  game: 'ur',
  options: {},
  public: false,
  status: 'playing',
  seats: [],
  watching: 0,
  rolls: 'auto',
  clock: null,
  days: null,
  deadline: null,
  pace: 0,
  beat: null,
  undo: false,
  coach: false,
  turn: 0,
  dice: { kind: 'fair', commitment: null, words: null, seed: null },
  votes: [],
  scores: null,
  rematch: null,
  tournament: null,
};

export const tableWith = (changes: Partial<Table> = {}): Table => ({ ...TABLE, ...changes });

export const welcome = (changes: Partial<Welcome> = {}): Welcome => ({
  type: 'welcome',
  seats: [0],
  seat: 0,
  former: [],
  stops: [],
  skip: null,
  deal: false,
  asks: null,
  react: false,
  token: null,
  number: 3,
  table: TABLE,
  chat: [],
  muted: [],
  ...changes,
});

const position = {
  seat: 0,
  view: { seat: 0 },
  legal: null,
  undo: false,
  roll: false,
  clock: null,
  answer_ms: null,
};

/** Returns plays of seat 1 with these numbers. */
export const events = (...numbers: number[]): View['events'] =>
  numbers.map((number) => ({ number, kind: 'play', seat: 1, text: `move ${number}`, by: 'person' }));

export const viewAt = (number: number, changes: Partial<View> = {}): View => ({
  type: 'view',
  number,
  ...position,
  events: events(number),
  ...changes,
});

export const newsAt = (number: number, changes: Partial<News> = {}): News => ({
  ...viewAt(number),
  ...changes,
  type: 'news',
});
