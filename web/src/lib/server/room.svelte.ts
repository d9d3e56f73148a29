// One table, live: a socket that reconnects by itself, and the state that it has brought.
import { keepToken, token, type Event, type Table } from './api';
import type { Chat, Clock, Hint, Legal, Position, Received, Trouble } from './messages';
import { settings } from '../app/settings.svelte';
import type { View } from './views';
import type { Note } from '../text/words.svelte';

interface Unconfirmed {
  message: Record<string, unknown>;
}

const KEPT = 40; // positions for showing the last turn again

export class Room {
  readonly id: string;
  status: 'connecting' | 'open' | 'lost' | 'gone' | 'refused' = $state('connecting');
  table: Table | null = $state(null);
  view: View | null = $state.raw(null);
  legal: Legal[] | null = $state.raw(null);
  number = $state(0);
  seat = $state(-1);
  seats: number[] = $state([]);
  former: number[] = $state([]); // seats that a vote has taken, and that their holder may ask for
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
  why: Record<string, Note[]> | null = $state.raw(null); // why cards or pieces of this seat cannot be played
  touched: string | null = $state(null); // the card or piece that was touched last and cannot be played
  trouble: Trouble | null = $state.raw(null);
  pending: string | null = $state(null); // the action under way, until it is safe
  past: { view: View; event: Event | null }[] = [];

  private socket: WebSocket | null = null;
  private unconfirmed = new Map<string, Unconfirmed>();
  private attempts = 0;
  private counter = 0;
  private closed = false;
  private lastReceivedAt = Date.now();
  private connectionCheck: ReturnType<typeof setInterval>;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private wantedSeat: number | null = null;
  private hasAskedForView = false;
  private unseated = false; // the server has said that the seat is not ours any more

  constructor(id: string) {
    this.id = id;
    this.connectionCheck = setInterval(() => this.checkConnection(), 5000);
    addEventListener('online', this.reconnectNow);
    addEventListener('offline', this.goOffline);
    this.connect();
  }

  close(): void {
    this.closed = true;
    clearInterval(this.connectionCheck);
    clearTimeout(this.retryTimer);
    removeEventListener('online', this.reconnectNow);
    removeEventListener('offline', this.goOffline);
    this.socket?.close();
  }

  /** Connects again with the token that is stored now, after joining for example. */
  reconnect(): void {
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

  lookFrom(seat: number): void {
    this.wantedSeat = seat;
    this.send({ type: 'look', seat, after: null });
  }

  ask(message: Record<string, unknown>): void {
    this.send(message);
  }

  /** Asks the server why a card or piece cannot be played, once for a position. */
  touch(thing: string): void {
    this.touched = thing;
    this.askWhy();
  }

  askWhy(): void {
    if (this.why === null && this.seat >= 0 && this.status === 'open') this.send({ type: 'why', seat: this.seat });
  }

  private send(message: Record<string, unknown>, keep = false): void {
    const ref = `${Date.now().toString(36)}-${this.counter++}`;
    const sent = { ...message, ref };
    if (keep) this.unconfirmed.set(ref, { message: sent });
    if (this.socket?.readyState === WebSocket.OPEN && this.status === 'open') this.socket.send(JSON.stringify(sent));
    else if (!keep) this.trouble = { code: 'wire.lost', with: {} };
  }

  private connect(): void {
    if (this.closed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/socket`);
    this.socket = socket;
    this.hasAskedForView = false;
    socket.onopen = () => this.sendHello();
    socket.onmessage = (message) => {
      this.lastReceivedAt = Date.now();
      this.receive(JSON.parse(message.data as string) as Received);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket || this.closed) return;
      if (event.code === 4404) this.status = 'gone';
      else if (event.code === 4401 && this.unseated) {
        this.unseated = false;
        this.leaveSeat();
        this.connect();
      } else if (event.code === 4401) {
        this.status = 'refused';
      } else {
        this.status = 'lost';
        const delay = Math.min(400 * 2 ** this.attempts++, 5000) * (0.75 + Math.random() / 2);
        this.retryTimer = setTimeout(() => this.connect(), delay);
      }
    };
  }

  private sendHello(fromStart = false): void {
    const seat = this.wantedSeat ?? (this.seat >= 0 ? this.seat : null);
    const message = { type: 'hello', token: token(this.id), seat, after: fromStart ? null : this.number, explain: true, name: settings.name.trim() || null };
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Looks from no seat, like a new visitor. */
  private leaveSeat(): void {
    this.seat = -1;
    this.wantedSeat = null;
    this.number = 0;
    this.log = [];
    this.past = [];
    this.view = null;
    this.trouble = null;
  }

  private reconnectNow = (): void => {
    if (this.status !== 'lost') return;
    clearTimeout(this.retryTimer);
    this.attempts = 0;
    this.connect();
  };

  private goOffline = (): void => {
    this.status = 'lost';
    this.socket?.close();
  };

  private checkConnection(): void {
    if (this.status !== 'open' || this.socket?.readyState !== WebSocket.OPEN) return;
    const silent = Date.now() - this.lastReceivedAt;
    if (silent > 25000) this.socket.close();
    else if (silent > 10000) this.socket.send('{"type":"ping"}');
  }

  private receive(said: Received): void {
    switch (said.type) {
      case 'welcome': {
        this.status = 'open';
        this.attempts = 0;
        this.seats = said.seats;
        this.former = said.former ?? [];
        const seat = said.seat ?? -1;
        if (seat !== this.seat) {
          this.seat = seat;
          this.log = [];
          this.past = [];
          this.view = null;
        }
        this.table = said.table;
        this.chat = said.chat;
        this.muted = said.muted ?? [];
        this.stops = said.stops ?? [];
        if (said.token) keepToken(this.id, said.token);
        // Before the first event the server sends no view by itself.
        if (!this.view && said.number === this.number && said.table.status !== 'waiting' && !this.hasAskedForView) {
          this.hasAskedForView = true;
          this.sendHello(true);
        }
        for (const { message } of this.unconfirmed.values()) this.socket?.send(JSON.stringify(message));
        break;
      }
      case 'view':
      case 'news':
        this.showPosition(said);
        break;
      case 'table':
        this.table = said.table;
        break;
      case 'seats':
        this.seats = said.seats;
        this.former = said.former;
        this.stops = said.stops;
        this.wanted = [];
        this.wantedSeat = null;
        break;
      case 'chat':
        this.chat.push(said.chat);
        break;
      case 'done':
        this.confirm(said.ref);
        break;
      case 'refused':
        this.confirm(said.ref);
        if (said.code === 'look.not-yours' && this.status !== 'open') this.unseated = true;
        this.trouble = said;
        if (said.legal !== undefined && said.number === this.number) this.legal = said.legal;
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

  private confirm(ref: string | undefined): void {
    if (ref && this.unconfirmed.delete(ref) && !this.unconfirmed.size) this.pending = null;
  }

  private showPosition(said: Position): void {
    const events = said.events;
    const other = said.seat !== this.seat;
    if (other) {
      this.seat = said.seat;
      this.log = [];
      this.past = [];
    }
    if (said.type === 'news' && !other && events.length) {
      const fresh = events.filter((event) => event.number > this.number);
      if (fresh.length && fresh[0].number !== this.number + 1) {
        this.sendHello();
        return;
      }
      this.log = [...this.log, ...fresh];
    } else if (said.type === 'view') {
      this.log = other ? events : [...this.log.filter((event) => event.number <= said.number), ...events];
    }
    this.wantedSeat = null;
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
