// One table, live: a socket that comes back by itself, and everything that it has told us.
import type * as protocol from './protocol';
import type { Action as Legal, ChatLine as Chat, ClockFace as Clock, HintGiven as Hint, Texts } from './protocol';
import { keepToken, token, type Event, type Table } from './wire';
import { settings } from './settings.svelte';
import type { View } from './views';
import type { Note } from './words.svelte';

export type { Action as Legal, ChatLine as Chat, ClockFace as Clock, ConsideredAction as Considered, HintGiven as Hint } from './protocol';

interface Waiting {
  message: Record<string, unknown>;
}

/** An error that the page shows; its own have no text. */
export type Trouble = Omit<protocol.Refusal, 'text'> & { text?: Texts };

const KEPT = 40; // positions to look back on

export class Room {
  readonly id: string;
  status: 'connecting' | 'open' | 'lost' | 'gone' | 'damaged' | 'refused' = $state('connecting');
  table: Table | null = $state(null);
  view: View | null = $state.raw(null);
  legal: Legal[] | null = $state.raw(null);
  number = $state(0);
  seat = $state(-1);
  seats: number[] = $state([]);
  former: number[] = $state([]); // seats that a vote has taken, and that one may ask to return to
  undo = $state(false);
  roll = $state(false);
  clock: Clock | null = $state.raw(null);
  clockAt = $state(0);
  log: Event[] = $state.raw([]);
  chat: Chat[] = $state([]);
  muted: string[] = $state([]);
  stops: string[] = $state([]);
  wanted: number[] = $state([]);
  hint: Hint | null = $state.raw(null);
  why: Record<string, Note[]> | null = $state.raw(null); // why things of one's own cannot be played here
  touched: string | null = $state(null); // the thing that was touched last and cannot be played
  trouble: Trouble | null = $state.raw(null);
  unstored: Texts | null = $state.raw(null); // why the server can store nothing now
  pending: string | null = $state(null); // the action under way, until it is safe
  past: { view: View; event: Event | null }[] = [];

  private socket: WebSocket | null = null;
  private waiting = new Map<string, Waiting>();
  private tries = 0;
  private counter = 0;
  private closed = false;
  private heard = Date.now();
  private beat: ReturnType<typeof setInterval>;
  private later: ReturnType<typeof setTimeout> | undefined;
  private asked: number | null = null;
  private whole = false;
  private unseated = false; // the seat that we asked for is not ours any more

  constructor(id: string) {
    this.id = id;
    this.beat = setInterval(() => this.breathe(), 5000);
    addEventListener('online', this.hurry);
    addEventListener('offline', this.cut);
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearInterval(this.beat);
    clearTimeout(this.later);
    removeEventListener('online', this.hurry);
    removeEventListener('offline', this.cut);
    this.socket?.close();
  }

  /** Takes a seat's token into use: after joining, say. */
  again(): void {
    this.number = 0;
    this.log = [];
    const old = this.socket;
    this.connect();
    old?.close();
  }

  act(action: string): void {
    this.trouble = null;
    this.hint = null;
    this.pending = action;
    this.send({ type: 'act', number: this.number, action, seat: this.seat }, true);
  }

  rollDice(): void {
    this.pending = 'roll';
    this.send({ type: 'roll', number: this.number }, true);
  }

  takeBack(): void {
    this.send({ type: 'undo', number: this.number });
  }

  look(seat: number): void {
    this.asked = seat;
    this.send({ type: 'look', seat, after: null });
  }

  ask(message: Record<string, unknown>): void {
    this.send(message);
  }

  /** Somebody touches a thing of his own that cannot be played: ask why, once for a position. */
  touch(thing: string): void {
    this.touched = thing;
    this.wonder();
  }

  wonder(): void {
    if (this.why === null && this.seat >= 0 && this.status === 'open') this.send({ type: 'why', seat: this.seat });
  }

  private send(message: Record<string, unknown>, keep = false): void {
    const ref = `${Date.now().toString(36)}-${this.counter++}`;
    const whole = { ...message, ref };
    if (keep) this.waiting.set(ref, { message: whole });
    if (this.socket?.readyState === WebSocket.OPEN && this.status === 'open') this.socket.send(JSON.stringify(whole));
    else if (!keep) this.trouble = { code: 'wire.lost', with: {} };
  }

  private connect(): void {
    if (this.closed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/socket`);
    this.socket = socket;
    this.whole = false;
    socket.onopen = () => this.hello();
    socket.onmessage = (message) => {
      this.heard = Date.now();
      this.hear(JSON.parse(message.data as string));
    };
    socket.onclose = (event) => {
      if (this.socket !== socket || this.closed) return;
      if (event.code === 4404) this.status = 'gone';
      else if (event.code === 4503) this.status = 'damaged';
      else if (event.code === 4401 && this.unseated) {
        this.unseated = false;
        this.forget();
        this.connect();
      } else if (event.code === 4401) {
        this.status = 'refused';
      } else {
        this.status = 'lost';
        const delay = Math.min(400 * 2 ** this.tries++, 5000) * (0.75 + Math.random() / 2);
        this.later = setTimeout(() => this.connect(), delay);
      }
    };
  }

  private hello(whole = false): void {
    const seat = this.asked ?? (this.seat >= 0 ? this.seat : null);
    const message = { type: 'hello', token: token(this.id), seat, after: whole ? null : this.number, explain: true, name: settings.name.trim() || null };
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Looks from no seat, as somebody who has just come. */
  private forget(): void {
    this.seat = -1;
    this.asked = null;
    this.number = 0;
    this.log = [];
    this.past = [];
    this.view = null;
    this.trouble = null;
  }

  private hurry = (): void => {
    if (this.status !== 'lost') return;
    clearTimeout(this.later);
    this.tries = 0;
    this.connect();
  };

  private cut = (): void => {
    this.status = 'lost';
    this.socket?.close();
  };

  private breathe(): void {
    if (this.status !== 'open' || this.socket?.readyState !== WebSocket.OPEN) return;
    const silent = Date.now() - this.heard;
    if (silent > 25000) this.socket.close();
    else if (silent > 10000) this.socket.send('{"type":"ping"}');
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  private hear(said: any): void {
    switch (said.type) {
      case 'welcome': {
        this.status = 'open';
        this.tries = 0;
        this.seats = said.seats;
        this.former = said.former ?? [];
        const seat = said.seat ?? -1;
        if (seat !== this.seat) {
          this.seat = seat;
          this.log = [];
          this.past = [];
          this.view = null;
        }
        this.unstored = null;
        this.table = said.table;
        this.chat = said.chat;
        this.muted = said.muted ?? [];
        this.stops = said.stops ?? [];
        if (said.token) keepToken(this.id, said.token);
        // Where nothing has happened yet nothing follows: then the view has to be asked for.
        if (!this.view && said.number === this.number && said.table.status !== 'waiting' && said.table.status !== 'closed' && !this.whole) {
          this.whole = true;
          this.hello(true);
        }
        for (const { message } of this.waiting.values()) this.socket?.send(JSON.stringify(message));
        break;
      }
      case 'view':
      case 'news':
        this.stand(said);
        break;
      case 'table':
        this.table = said.table;
        break;
      case 'seats':
        this.seats = said.seats;
        this.former = said.former;
        this.stops = said.stops;
        this.wanted = [];
        this.asked = null;
        break;
      case 'chat':
        this.chat.push(said.chat);
        break;
      case 'done':
        this.settle(said.ref);
        break;
      case 'refused':
        this.settle(said.ref);
        if (said.code === 'look.not-yours' && this.status !== 'open') this.unseated = true;
        this.trouble = this.unstored && said.code.startsWith('store.') ? null : said; // the notice says it already
        if (said.legal !== undefined && said.number === this.number) this.legal = said.legal;
        break;
      case 'storage':
        this.unstored = said.ok ? null : said.text;
        if (this.trouble?.code.startsWith('store.')) this.trouble = null; // the notice says it, or it is over
        break;
      case 'hint':
        this.hint = said;
        break;
      case 'why':
        if (said.number === this.number && said.seat === this.seat) this.why = said.things;
        break;
      case 'wanted':
        this.wanted = said.seats;
        break;
      case 'stops':
        this.stops = said.stops;
        break;
      case 'muted':
        this.muted = said.muted;
        break;
    }
  }

  private settle(ref: string | undefined): void {
    if (ref && this.waiting.delete(ref) && !this.waiting.size) this.pending = null;
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  private stand(said: any): void {
    const events = said.events as Event[];
    const other = said.seat !== this.seat;
    if (other) {
      this.seat = said.seat;
      this.log = [];
      this.past = [];
    }
    if (said.type === 'news' && !other && events.length) {
      const fresh = events.filter((event) => event.number > this.number);
      if (fresh.length && fresh[0].number !== this.number + 1) {
        this.hello();
        return;
      }
      this.log = [...this.log, ...fresh];
    } else if (said.type === 'view') {
      this.log = other ? events : [...this.log.filter((event) => event.number <= said.number), ...events];
    }
    this.asked = null;
    this.number = said.number;
    this.view = said.view;
    this.legal = said.legal;
    this.undo = said.undo;
    this.roll = said.roll;
    this.clock = said.clock;
    this.clockAt = Date.now();
    this.hint = null;
    this.why = null;
    this.touched = null;
    if (this.legal) this.trouble = null;
    this.past.push({ view: said.view, event: events[events.length - 1] ?? null });
    if (this.past.length > KEPT) this.past.shift();
  }
}
