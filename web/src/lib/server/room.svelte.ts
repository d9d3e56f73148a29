// One table, live: a socket that reconnects by itself, and the state that it has brought.
import type * as protocol from './protocol';
import type {
  Action as Legal,
  ClientMessage,
  ChatLine as Chat,
  ClockFace as Clock,
  HintGiven as Hint,
  Texts,
} from './protocol';
import type { PlayRoom } from './playRoom';
import { keepSeats, keepToken, token, type Event, type Table } from './api';
import { settings } from '../app/settings.svelte';
import type { View } from './views';
import type { Note } from '../text/words.svelte';

export type {
  Action as Legal,
  ChatLine as Chat,
  ClockFace as Clock,
  ConsideredAction as Considered,
  HintGiven as Hint,
} from './protocol';

/** A position: all of it, or the events since the last one. The protocol does not know what a game's view contains. */
type Position = (Omit<protocol.View, 'events' | 'view'> | Omit<protocol.News, 'events' | 'view'>) & {
  events: Event[];
  view: View;
};

type Received = Exclude<protocol.ServerMessage, protocol.View | protocol.News> | Position;

/** An error that the page shows; its own have no text. */
export type Trouble = Omit<protocol.Refusal, 'text'> & { text?: Texts };

const KEPT = 40; // positions for showing the last turn again
const RESTART = 1012; // the close code of a server that stops
const UNNOTICED = 1000; // ms that a change to another server may take before the page says so

export class Room implements PlayRoom {
  readonly id: string;
  status: 'connecting' | 'open' | 'lost' | 'gone' | 'damaged' | 'refused' = $state('connecting');
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
  skip: 'move' | 'race' | null = $state(null); // what the seat passes until
  answerMs: number | null = $state(null); // the time for an answer in a window that lasts a beat
  answerAt = $state(0);
  isHeld = $state(false); // the seat holds the open window
  wanted: number[] = $state([]);
  hint: Hint | null = $state.raw(null);
  coach: { position: Note[]; actions: Record<string, Note[]> } | null = $state.raw(null); // what the coach says about this position
  why: Record<string, Note[]> | null = $state.raw(null); // why cards or pieces of this seat cannot be played
  touched: string | null = $state(null); // the card or piece that was touched last and cannot be played
  trouble: Trouble | null = $state.raw(null);
  unstored: Texts | null = $state.raw(null); // why the server can store nothing now
  pending: string | null = $state(null); // the action under way, until it is safe
  past: { view: View; event: Event | null }[] = [];

  private socket: WebSocket | null = null;
  private unconfirmed: ClientMessage[] = []; // messages that are sent again on another socket
  private attempts = 0;
  private counter = 0;
  private closed = false;
  private lastReceivedAt = Date.now();
  private connectionCheck: ReturnType<typeof setInterval>;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private answerTimer: ReturnType<typeof setTimeout> | undefined;
  private wantedSeat: number | null = null;
  private hasAskedForView = false;
  private unseated = false; // the server has received that the seat is not ours any more
  private isWelcome = false; // the server has answered our hello on this socket
  private isMoving = false; // to another socket; the player is told if it takes long
  private movingTimer: ReturnType<typeof setTimeout> | undefined;
  private delayed: ClientMessage[] = []; // messages for the next socket

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
    clearTimeout(this.answerTimer);
    clearTimeout(this.movingTimer);
    removeEventListener('online', this.reconnectNow);
    removeEventListener('offline', this.goOffline);
    this.socket?.close();
  }

  /** Connects again with the token that is stored now, after joining for example. */
  reconnect(): void {
    this.number = 0;
    this.log = [];
    const old = this.socket;
    this.move();
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

  /** Asks the server why a card or piece cannot be played, once for a position. */
  touch(thing: string): void {
    this.touched = thing;
    this.askWhy();
  }

  askWhy(): void {
    if (this.why === null && this.seat >= 0 && this.status === 'open')
      this.send({ type: 'why', seat: this.seat });
  }

  askCoach(): void {
    if (this.coach === null && this.seat >= 0 && this.status === 'open')
      this.send({ type: 'coach', seat: this.seat });
  }

  /** Sends a message; with `keep` again on the next socket, until the server has confirmed it. */
  send(message: ClientMessage, keep = false): void {
    const sent: ClientMessage = { ...message, ref: `${Date.now().toString(36)}-${this.counter++}` };
    if (keep) this.unconfirmed.push(sent);
    if (this.socket?.readyState === WebSocket.OPEN && this.isWelcome) this.socket.send(JSON.stringify(sent));
    else if (this.isMoving && !keep) this.delayed.push(sent);
    else if (!keep) this.trouble = { code: 'wire.lost', with: {} };
  }

  private connect(): void {
    if (this.closed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/tables/${encodeURIComponent(this.id)}/socket`,
    );
    this.socket = socket;
    this.isWelcome = this.hasAskedForView = false;
    socket.onopen = () => this.sendHello();
    socket.onmessage = (message) => {
      this.lastReceivedAt = Date.now();
      this.receive(JSON.parse(message.data as string) as Received);
    };
    socket.onclose = (event) => {
      if (this.socket !== socket || this.closed) return;
      if (event.code === RESTART && this.isWelcome) this.move();
      this.isWelcome = false;
      if (event.code === 4404) this.status = 'gone';
      else if (event.code === 4503) this.status = 'damaged';
      else if (event.code === 4401 && this.unseated) {
        this.unseated = false;
        this.leaveSeat();
        this.connect();
      } else if (event.code === 4401) {
        this.status = 'refused';
      } else {
        if (!this.isMoving) this.status = 'lost';
        const delay = this.isMoving
          ? 100 * Math.random()
          : Math.min(400 * 2 ** this.attempts++, 5000) * (0.75 + Math.random() / 2);
        this.retryTimer = setTimeout(() => this.connect(), delay);
      }
    };
  }

  /** Goes to another socket without a notice, unless it takes long; what is sent meanwhile goes there. */
  private move(): void {
    this.isMoving = true;
    clearTimeout(this.movingTimer);
    this.movingTimer = setTimeout(() => {
      this.isMoving = false;
      if (this.isWelcome || this.closed) return;
      this.delayed = [];
      if (this.status === 'open') this.status = 'lost';
    }, UNNOTICED);
  }

  private sendHello(fromStart = false): void {
    const seat = this.wantedSeat ?? (this.seat >= 0 ? this.seat : null);
    const message: ClientMessage = {
      type: 'hello',
      token: token(this.id),
      seat,
      after: fromStart ? null : this.number,
      explain: true,
      name: settings.name.trim() || null,
    };
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
    this.isMoving = false;
    this.status = 'lost';
    this.socket?.close();
  };

  private checkConnection(): void {
    if (this.status !== 'open' || this.socket?.readyState !== WebSocket.OPEN) return;
    const silent = Date.now() - this.lastReceivedAt;
    if (silent > 25000) this.socket.close();
    else if (silent > 10000) this.socket.send('{"type":"ping"}');
  }

  private receive(received: Received): void {
    switch (received.type) {
      case 'welcome': {
        this.status = 'open';
        this.isWelcome = true;
        this.isMoving = false;
        this.attempts = 0;
        this.seats = received.seats;
        keepSeats(this.id, this.seats);
        this.former = received.former ?? [];
        const seat = received.seat ?? -1;
        if (seat !== this.seat) {
          this.seat = seat;
          this.log = [];
          this.past = [];
          this.view = null;
        }
        this.unstored = null;
        this.table = received.table;
        this.chat = received.chat;
        this.muted = received.muted ?? [];
        this.stops = received.stops ?? [];
        this.skip = received.skip ?? null;
        if (received.token) keepToken(this.id, received.token);
        // Before the first event the server sends no view by itself; a closed game has none.
        if (
          !this.view &&
          received.number === this.number &&
          received.table.status !== 'waiting' &&
          received.table.status !== 'closed' &&
          !this.hasAskedForView
        ) {
          this.hasAskedForView = true;
          this.sendHello(true);
        }
        for (const message of this.unconfirmed) this.socket?.send(JSON.stringify(message));
        for (const message of this.delayed.splice(0)) this.socket?.send(JSON.stringify(message));
        break;
      }
      case 'view':
      case 'news':
        this.showPosition(received);
        break;
      case 'table':
        this.table = received.table;
        break;
      case 'seats':
        this.seats = received.seats;
        keepSeats(this.id, this.seats);
        this.former = received.former;
        this.stops = received.stops;
        this.skip = received.skip;
        this.wanted = [];
        this.wantedSeat = null;
        break;
      case 'chat':
        this.chat.push(received.chat);
        break;
      case 'done':
        this.confirm(received.ref);
        break;
      case 'refused':
        this.confirm(received.ref);
        if (received.code === 'look.not-yours' && !this.isWelcome) this.unseated = true;
        this.trouble = this.unstored && received.code.startsWith('store.') ? null : received; // the notice says it already
        if (received.legal !== undefined && received.number === this.number) this.legal = received.legal;
        break;
      case 'storage':
        this.unstored = received.ok ? null : (received.text ?? null);
        if (this.trouble?.code.startsWith('store.')) this.trouble = null; // the notice says it, or it is over
        break;
      case 'hint':
        this.hint = received;
        break;
      case 'coach':
        if (received.number === this.number && received.seat === this.seat) this.coach = received;
        break;
      case 'why':
        if (received.number === this.number && received.seat === this.seat) this.why = received.things;
        break;
      case 'wanted':
        this.wanted = received.seats;
        break;
      case 'stops':
        this.stops = received.stops;
        this.skip = received.skip;
        break;
      case 'held':
        this.isHeld = true;
        this.startAnswer(received.answer_ms);
        break;
      case 'muted':
        this.muted = received.muted;
        break;
    }
  }

  /** Notes the time for an answer. When it is over nothing can be played; the server sends nothing while others hold. */
  private startAnswer(ms: number | null): void {
    clearTimeout(this.answerTimer);
    this.answerMs = ms;
    this.answerAt = Date.now();
    if (ms !== null)
      this.answerTimer = setTimeout(
        () => ([this.legal, this.answerMs, this.isHeld] = [null, null, false]),
        ms,
      );
  }

  private confirm(ref: string | null | undefined): void {
    const at = this.unconfirmed.findIndex((message) => message.ref === ref);
    if (at < 0) return;
    this.unconfirmed.splice(at, 1);
    if (!this.unconfirmed.length) this.pending = null;
  }

  private showPosition(received: Position): void {
    const events = received.events;
    const other = received.seat !== this.seat;
    if (other) {
      this.seat = received.seat;
      this.log = [];
      this.past = [];
    }
    if (received.type === 'news' && !other && events.length) {
      const fresh = events.filter((event) => event.number > this.number);
      if (fresh.length && fresh[0].number !== this.number + 1) {
        this.sendHello();
        return;
      }
      this.log = [...this.log, ...fresh];
    } else if (received.type === 'view') {
      const first = events[0]?.number ?? received.number + 1;
      this.log = [...this.log.filter((event) => event.number < first), ...events];
    }
    this.wantedSeat = null;
    this.number = received.number;
    this.view = received.view;
    this.legal = received.legal;
    this.undo = received.undo;
    this.roll = received.roll;
    this.clock = received.clock;
    this.clockAt = Date.now();
    if (received.answer_ms === null) this.isHeld = false;
    this.startAnswer(received.answer_ms);
    this.hint = null;
    this.coach = null;
    this.why = null;
    this.touched = null;
    if (this.legal) this.trouble = null;
    this.past.push({ view: received.view, event: events[events.length - 1] ?? null });
    if (this.past.length > KEPT) this.past.shift();
  }
}
