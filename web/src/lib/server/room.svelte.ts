// One table of the server: its state as the messages bring it, and what the reader can do there.
import { settings } from '../app/settings.svelte';
import type { Note } from '../text/words.svelte';
import { keepSeats, keepToken, Refusal, tokenToSend, type Event, type Table } from './api';
import { Connection } from './connection.svelte';
import { findStanding, house } from './house.svelte';
import { keepSeen, lastSeen } from './lastSeen';
import type { Asks, PlayRoom } from './playRoom';
import type * as protocol from './protocol';
import type {
  Action as Legal,
  ChatLine as Chat,
  ClientMessage,
  ClockFace as Clock,
  HintGiven as Hint,
  Texts,
} from './protocol';
import type { View } from './views';

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

/** An error that the page shows; its own have no text. */
export type Trouble = Omit<protocol.Refusal, 'text'> & { text?: Texts };

const KEPT = 40; // positions for showing the last turn again

export class Room implements PlayRoom {
  readonly id: string;
  readonly connection: Connection;
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
  asks: Asks | null = $state(null); // on which occasions the seat is asked; null if it has not chosen
  react = $state(false); // it is asked in the next window in which it might play something
  deal = $state(false); // it is asked in the next window in which it can make a deal
  answerMs: number | null = $state(null); // the time for an answer in a window that lasts a beat
  answerAt = $state(0);
  isHeld = $state(false); // the seat holds the open window
  wanted: number[] = $state([]);
  hint: Hint | null = $state.raw(null);
  // What the coach says about this position.
  coach: { position: Note[]; actions: Record<string, Note[]> } | null = $state.raw(null);
  why: Record<string, Note[]> | null = $state.raw(null); // why cards or pieces of this seat cannot be played
  touched: string | null = $state(null); // the card or piece that was touched last and cannot be played
  orders: protocol.StandingOrder[] = $state.raw([]);
  orderForms: protocol.OrderForm[] | null = $state.raw(null); // the orders that can be given now
  dropped: protocol.EndedOrder[] = $state.raw([]); // orders that were not possible any more when their turn came
  preview: protocol.OrderPreview | null = $state.raw(null);
  trouble: Trouble | null = $state.raw(null);
  unstored: Texts | null = $state.raw(null); // why the server can store nothing now
  past: { view: View; event: Event | null }[] = [];

  seenAt: number | null = $state(null); // when the position was seen that is shown without a network

  private lastWelcome: protocol.Welcome | null = null;
  private lastPosition: protocol.View | protocol.News | null = null;
  private answerTimer: ReturnType<typeof setTimeout> | undefined;
  private wantedSeat: number | null = null;

  constructor(id: string) {
    this.id = id;
    this.connection = new Connection(id, this);
    addEventListener('pagehide', this.keep);
  }

  close(): void {
    this.keep();
    removeEventListener('pagehide', this.keep);
    clearTimeout(this.answerTimer);
    this.connection.close();
  }

  /** Connects again with the token that is stored now, after joining for example. */
  reconnect(): void {
    this.number = 0;
    this.log = [];
    this.connection.reconnect();
  }

  act(action: string): void {
    this.trouble = null;
    this.hint = null;
    this.connection.sendSafely({ type: 'act', number: this.number, action, seat: this.seat });
  }

  rollDice(): void {
    this.connection.sendSafely({ type: 'roll', number: this.number });
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
    if (this.why === null && this.isAtSeat) this.send({ type: 'why', seat: this.seat });
  }

  askCoach(): void {
    if (this.coach === null && this.isAtSeat) this.send({ type: 'coach', seat: this.seat });
  }

  send(message: ClientMessage): void {
    if (!this.connection.send(message)) this.trouble = { code: 'wire.lost', with: {} };
  }

  /** Returns the message that introduces this client to the server. */
  hello(): protocol.Hello {
    return {
      type: 'hello',
      token: tokenToSend(this.id),
      seat: this.wantedSeat ?? (this.seat >= 0 ? this.seat : null),
      after: this.seenAt === null ? this.number : 0,
      explain: true,
      name: settings.name.trim() || null,
    };
  }

  /** Looks from no seat, like a new visitor. */
  leaveSeat(): void {
    this.seat = -1;
    this.wantedSeat = null;
    this.number = 0;
    this.log = [];
    this.past = [];
    this.view = null;
    this.trouble = null;
  }

  /** Returns the positions from the reader's last move on, to be shown again; the last six if there was none. */
  lastTurn(): View[] {
    const isOwn = this.past.map(({ event }) => event?.kind === 'play' && event.seat === this.seat);
    const own = isOwn.slice(0, -1).lastIndexOf(true);
    return this.past.slice(own >= 0 ? own : -6).map(({ view }) => view);
  }

  private get isAtSeat(): boolean {
    return this.seat >= 0 && this.connection.status === 'open';
  }

  /** Keeps the position for reading without a network. */
  private keep = (): void => {
    if (!this.lastWelcome || !this.lastPosition || !this.table || !this.seats.length) return;
    const welcome = { ...this.lastWelcome, token: null, table: this.table, chat: [] };
    keepSeen(this.id, { at: Date.now(), welcome, position: this.lastPosition });
  };

  /** Shows the position that was seen last, if the server cannot be reached from the start. */
  lose(): void {
    const seen = this.table ? null : lastSeen(this.id);
    if (!seen) return;
    this.seenAt = seen.at;
    this.welcome(seen.welcome);
    this.showPosition(seen.position as Position);
  }

  receive(received: protocol.ServerMessage): void {
    if (received.type === 'view' || received.type === 'news') this.lastPosition = received;
    switch (received.type) {
      case 'welcome':
        this.lastWelcome = received;
        if (this.seenAt !== null) {
          [this.seenAt, this.number, this.log, this.past, this.view] = [null, 0, [], [], null];
        }
        this.welcome(received);
        break;
      case 'view':
      case 'news':
        this.showPosition(received as Position);
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
        this.deal = received.deal;
        this.asks = received.asks ?? null;
        this.react = received.react ?? false;
        this.wanted = [];
        this.wantedSeat = null;
        break;
      case 'chat':
        this.chat.push(received.chat);
        break;
      case 'standing':
        void findStanding();
        break;
      case 'refused':
        if (received.code.startsWith('house.')) {
          house.closed = new Refusal(received.code, received.text, 403);
          void findStanding();
        }
        // While nothing can be stored a notice says so already.
        this.trouble = this.unstored && received.code.startsWith('store.') ? null : received;
        if (received.number === this.number) {
          if (received.legal !== undefined) this.legal = received.legal;
          if (received.roll !== undefined) this.roll = received.roll;
        }
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
        this.deal = received.deal;
        this.asks = received.asks ?? null;
        this.react = received.react ?? false;
        break;
      case 'orders':
        if (received.seat !== this.seat) break;
        this.orders = received.orders;
        this.orderForms = received.forms ?? this.orderForms;
        if (received.ended.length) this.dropped = received.ended.filter(({ how }) => how === 'illegal');
        break;
      case 'preview':
        this.preview = received;
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

  private welcome(received: protocol.Welcome): void {
    this.seats = received.seats;
    keepSeats(this.id, this.seats);
    this.former = received.former;
    if (received.seat !== this.seat) {
      this.seat = received.seat;
      this.log = [];
      this.past = [];
      this.view = null;
    }
    this.forgetOrders();
    this.unstored = null;
    this.table = received.table;
    this.chat = received.chat;
    this.muted = received.muted;
    this.stops = received.stops;
    this.skip = received.skip;
    this.deal = received.deal;
    this.asks = received.asks ?? null;
    this.react = received.react ?? false;
    if (received.token) keepToken(this.id, received.token);
    // Before the first event the server sends no view by itself; a closed game has none.
    const hasPosition = received.table.status !== 'waiting' && received.table.status !== 'closed';
    if (!this.view && received.number === this.number && hasPosition) this.connection.askForView();
  }

  /**
   * Notes the time for an answer. When it is over nothing can be played; the server sends nothing while
   * others hold.
   */
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

  /** The server sends those of the seat, if there are any. */
  private forgetOrders(): void {
    this.orders = [];
    this.orderForms = null;
    this.dropped = [];
  }

  private showPosition(received: Position): void {
    const events = received.events;
    const other = received.seat !== this.seat;
    if (other) {
      this.forgetOrders();
      this.seat = received.seat;
      this.log = [];
      this.past = [];
    }
    if (received.type === 'news' && !other && events.length) {
      const fresh = events.filter((event) => event.number > this.number);
      if (fresh.length && fresh[0].number !== this.number + 1) {
        this.connection.greet();
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
    if (received.type === 'news' && !other && !events.length) return; // not a step of the game
    this.past.push({ view: received.view, event: events[events.length - 1] ?? null });
    if (this.past.length > KEPT) this.past.shift();
  }
}
