// The connection to a table: a socket that opens again by itself, and the messages that are not safe yet.
import type { ClientMessage, Hello, ServerMessage } from './protocol';

/** The table at this end of a connection. */
export interface Client {
  /** Returns the first message on a new socket. */
  hello: () => Hello;
  receive: (message: ServerMessage) => void;
  /** Looks from no seat: the server says that the seat is not ours any more. */
  leaveSeat: () => void;
  /** The server cannot be reached. */
  lose?: () => void;
}

type Timer = ReturnType<typeof setTimeout>;

const RESTART = 1012; // the close code of a server that stops
const BAD_TOKEN = 4401; // or a seat that the token does not hold
const NO_ROOM = 4404;
const CLOSED = 4403; // the house is closed to the reader
const DAMAGED = 4503;
const UNNOTICED = 1000; // ms that a change to another server may take before the page says so

export class Connection {
  status: 'connecting' | 'open' | 'lost' | 'gone' | 'damaged' | 'refused' = $state('connecting');
  isPending = $state(false); // a message is not confirmed yet

  private socket: WebSocket | null = null;
  // Messages for every new socket, until the server has stored or refused them.
  private unconfirmed: ClientMessage[] = [];
  private delayed: ClientMessage[] = []; // messages for the next socket
  private attempts = 0;
  private counter = 0;
  private isClosed = false;
  private isWelcome = false; // the server has answered our hello on this socket
  private isMoving = false; // to another socket; the player is told if it takes long
  private isUnseated = false; // the server has received that the seat is not ours any more
  private hasAskedForView = false; // on this socket
  private lastReceivedAt = Date.now();
  private checkTimer: Timer;
  private retryTimer: Timer | undefined;
  private movingTimer: Timer | undefined;

  constructor(
    private readonly table: string,
    private readonly client: Client,
  ) {
    this.checkTimer = setInterval(() => this.check(), 5000);
    addEventListener('online', this.retryNow);
    addEventListener('offline', this.goOffline);
    this.connect();
  }

  close(): void {
    this.isClosed = true;
    clearInterval(this.checkTimer);
    clearTimeout(this.retryTimer);
    clearTimeout(this.movingTimer);
    removeEventListener('online', this.retryNow);
    removeEventListener('offline', this.goOffline);
    this.socket?.close();
  }

  /** Connects again with the token that is stored now, after joining for example. */
  reconnect(): void {
    const old = this.socket;
    this.move();
    this.connect();
    old?.close();
  }

  /** Sends a message, or keeps it for the next socket if that comes soon. Returns false if it is lost. */
  send(message: ClientMessage): boolean {
    const sent = this.withReference(message);
    if (this.isReady) this.write(sent);
    else if (this.isMoving) this.delayed.push(sent);
    else return false;
    return true;
  }

  /** Sends a message, and sends it again on every new socket until the server has stored or refused it. */
  sendSafely(message: ClientMessage): void {
    const sent = this.withReference(message);
    this.unconfirmed.push(sent);
    this.isPending = true;
    if (this.isReady) this.write(sent);
  }

  /** Introduces the client, who gets everything after the last event that it has. */
  greet(hello = this.client.hello()): void {
    this.write(hello);
  }

  /** Asks for the position from the start, at most once on a socket. */
  askForView(): void {
    if (this.hasAskedForView) return;
    this.hasAskedForView = true;
    this.greet({ ...this.client.hello(), after: null });
  }

  private withReference(message: ClientMessage): ClientMessage {
    return { ...message, ref: `${Date.now().toString(36)}-${this.counter++}` };
  }

  private get isReady(): boolean {
    return this.socket?.readyState === WebSocket.OPEN && this.isWelcome;
  }

  private write(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private connect(): void {
    if (this.isClosed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/tables/${encodeURIComponent(this.table)}/socket`,
    );
    this.socket = socket;
    this.isWelcome = this.hasAskedForView = false;
    socket.onopen = () => this.greet();
    socket.onmessage = (message) => {
      this.lastReceivedAt = Date.now();
      this.receive(JSON.parse(message.data as string) as ServerMessage);
    };
    socket.onclose = (event) => {
      if (this.socket === socket && !this.isClosed) this.lose(event.code);
    };
  }

  private receive(message: ServerMessage): void {
    if (message.type === 'welcome') this.open();
    if (message.type === 'done' || message.type === 'refused') this.confirm(message.ref);
    if (message.type === 'refused' && message.code === 'look.not-yours' && !this.isWelcome)
      this.isUnseated = true;
    this.client.receive(message);
    if (message.type === 'welcome')
      for (const waiting of [...this.unconfirmed, ...this.delayed.splice(0)]) this.write(waiting);
  }

  private open(): void {
    this.status = 'open';
    this.isWelcome = true;
    this.isMoving = false;
    this.attempts = 0;
  }

  private confirm(ref: string | null): void {
    this.unconfirmed = this.unconfirmed.filter((message) => message.ref !== ref);
    this.isPending = this.unconfirmed.length > 0;
  }

  private lose(code: number): void {
    if (code === RESTART && this.isWelcome) this.move();
    this.isWelcome = false;
    if (code === NO_ROOM) this.status = 'gone';
    else if (code === DAMAGED) this.status = 'damaged';
    else if (code === CLOSED) this.status = 'refused';
    else if (code === BAD_TOKEN && this.isUnseated) {
      this.isUnseated = false;
      this.client.leaveSeat();
      this.connect();
    } else if (code === BAD_TOKEN) this.status = 'refused';
    else this.retry();
  }

  private retry(): void {
    if (!this.isMoving) {
      this.status = 'lost';
      this.client.lose?.();
    }
    const delay = this.isMoving
      ? 100 * Math.random()
      : Math.min(400 * 2 ** this.attempts++, 5000) * (0.75 + Math.random() / 2);
    this.retryTimer = setTimeout(() => this.connect(), delay);
  }

  /** Goes to another socket without a notice, unless it takes long; what is sent meanwhile goes there. */
  private move(): void {
    this.isMoving = true;
    clearTimeout(this.movingTimer);
    this.movingTimer = setTimeout(() => {
      this.isMoving = false;
      if (this.isWelcome || this.isClosed) return;
      this.delayed = [];
      if (this.status === 'open') this.status = 'lost';
    }, UNNOTICED);
  }

  private retryNow = (): void => {
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

  /** A silent server is asked whether it is there; one that does not answer is left. */
  private check(): void {
    if (this.status !== 'open' || this.socket?.readyState !== WebSocket.OPEN) return;
    const silent = Date.now() - this.lastReceivedAt;
    if (silent > 25000) this.socket.close();
    else if (silent > 10000) this.write({ type: 'ping' });
  }
}
