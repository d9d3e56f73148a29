import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'vitest';
import { Room } from '../src/lib/server/room.svelte';
import {
  events,
  newsAt,
  Socket,
  startServer,
  stopServer,
  tableWith,
  viewAt,
  welcome,
} from './support/server';

const LEGAL = [{ text: '0-4' }];
const numbers = (room: Room): number[] => room.log.map((event) => event.number);
const refused = { type: 'refused', ref: null, with: {}, text: { en: 'No.', fr: 'Non.' } } as const;

let room: Room;
beforeEach(() => {
  startServer();
  room = new Room('abc');
});
afterEach(() => {
  room.close();
  stopServer();
});

/** Lets the page sit at a table, with a position. */
const seated = (position = viewAt(3)): Socket => Socket.last.open().tell(welcome(), position);

test('a welcome brings the table, and a view the position', () => {
  Socket.last.open().tell(welcome({ seats: [0, 2], stops: ['roll'], skip: 'move', muted: ['Bob'] }));
  assert.deepEqual([room.seat, room.seats, room.stops, room.skip], [0, [0, 2], ['roll'], 'move']);
  assert.deepEqual(room.muted, ['Bob']);
  assert.equal(room.view, null);
  Socket.last.tell(viewAt(3, { legal: LEGAL, roll: true, events: events(1, 2, 3) }));
  assert.deepEqual([room.number, room.legal, room.roll, room.undo], [3, LEGAL, true, false]);
  assert.deepEqual(numbers(room), [1, 2, 3]);
});

test('news are added to the log, each event once', () => {
  seated();
  Socket.last.tell(newsAt(5, { events: events(3, 4, 5) }), newsAt(6));
  assert.deepEqual(numbers(room), [3, 4, 5, 6]);
  assert.equal(room.number, 6);
});

test('where events are missing the page asks for them, and shows nothing before they come', () => {
  const socket = seated();
  socket.heard();
  socket.tell(newsAt(6));
  assert.deepEqual([room.number, numbers(room)], [3, [3]]);
  const [hello] = socket.heard();
  assert.ok(hello.type === 'hello');
  assert.equal(hello.after, 3);
  socket.tell(welcome({ number: 6 }), newsAt(6, { events: events(4, 5, 6) }));
  assert.deepEqual(numbers(room), [3, 4, 5, 6]);
});

test('a view from the start takes the place of the same events', () => {
  seated(viewAt(3, { events: events(1, 2, 3) }));
  Socket.last.tell(viewAt(5, { events: events(2, 3, 4, 5) }));
  assert.deepEqual(numbers(room), [1, 2, 3, 4, 5]);
});

test('from another seat the log begins again', () => {
  seated();
  room.lookFrom(1);
  Socket.last.tell(viewAt(4, { seat: 1, events: events(4) }));
  assert.deepEqual([room.seat, numbers(room), room.past.length], [1, [4], 1]);
});

test('advice is about one position only', () => {
  seated();
  const advise = (number: number): void => {
    Socket.last.tell({ type: 'coach', ref: null, seat: 0, number, position: [], actions: {} });
    Socket.last.tell({ type: 'why', ref: null, seat: 0, number, things: { card: [] } });
  };
  advise(2);
  assert.deepEqual([room.coach, room.why], [null, null]);
  advise(3);
  room.touch('card');
  assert.deepEqual([room.coach?.position, room.why, room.touched], [[], { card: [] }, 'card']);
  Socket.last.tell(newsAt(4));
  assert.deepEqual([room.coach, room.why, room.touched], [null, null, null]);
});

test('the reasons are asked for once, by a seat', () => {
  const socket = seated();
  socket.heard();
  room.askWhy();
  socket.tell({ type: 'why', ref: null, number: 3, seat: 0, things: {} });
  room.touch('card');
  assert.deepEqual(
    socket.heard().map(({ type }) => type),
    ['why'],
  );
  socket.tell(welcome({ seat: -1, seats: [] }), viewAt(3, { seat: -1 }));
  socket.heard();
  room.touch('card');
  assert.deepEqual(socket.heard(), []);
});

test('an error stays until the seat is asked again', () => {
  seated();
  Socket.last.tell({ ...refused, code: 'act.illegal' }, newsAt(4));
  assert.equal(room.trouble?.code, 'act.illegal');
  Socket.last.tell(newsAt(5, { legal: LEGAL }));
  assert.equal(room.trouble, null);
});

test('an error brings the legal actions of the same position', () => {
  seated();
  Socket.last.tell({ ...refused, code: 'act.illegal', number: 2, legal: [] });
  assert.equal(room.legal, null);
  Socket.last.tell({ ...refused, code: 'act.illegal', number: 3, legal: LEGAL });
  assert.deepEqual(room.legal, LEGAL);
});

test('while nothing can be stored one notice says it', () => {
  seated();
  const text = { en: 'The disk is full.', fr: 'Le disque est plein.' };
  Socket.last.tell({ ...refused, code: 'store.full' });
  assert.equal(room.trouble?.code, 'store.full');
  Socket.last.tell({ type: 'storage', ok: false, text }, { ...refused, code: 'store.full' });
  assert.deepEqual([room.unstored, room.trouble], [text, null]);
  Socket.last.tell({ type: 'storage', ok: true });
  assert.equal(room.unstored, null);
});

test('the time for an answer is that of the position, and of a window that is held', () => {
  seated(viewAt(3, { answer_ms: 1500 }));
  assert.deepEqual([room.answerMs, room.isHeld], [1500, false]);
  Socket.last.tell({ type: 'held', ref: null, answer_ms: 9000 });
  assert.deepEqual([room.answerMs, room.isHeld], [9000, true]);
  Socket.last.tell(newsAt(4));
  assert.deepEqual([room.answerMs, room.isHeld], [null, false]);
});

test('forty positions are kept for showing a turn again', () => {
  seated();
  for (let number = 4; number < 60; number++) Socket.last.tell(newsAt(number));
  assert.equal(room.past.length, 40);
  assert.equal(room.past[39].event?.number, 59);
});

test('the last turn begins with the reader’s last move that others have answered', () => {
  const shown = (): number[] => room.lastTurn().map((view) => (view as unknown as { at: number }).at);
  const moved = (number: number, seat: number): void =>
    void Socket.last.tell(
      newsAt(number, { view: { seat: 0, at: number }, events: [{ ...events(number)[0], seat }] }),
    );
  seated(viewAt(3, { view: { seat: 0, at: 3 } }));
  for (let number = 4; number < 12; number++) moved(number, 1);
  assert.deepEqual(shown(), [6, 7, 8, 9, 10, 11]);
  moved(12, 0);
  assert.deepEqual(shown(), [7, 8, 9, 10, 11, 12]);
  moved(13, 1);
  moved(14, 1);
  assert.deepEqual(shown(), [12, 13, 14]);
});

test('a message without events is no step of the last turn', () => {
  seated();
  Socket.last.tell(newsAt(3, { events: [], undo: true }));
  assert.deepEqual([room.undo, room.past.length], [true, 1]);
});

test('seats that change on this device change its windows, too', () => {
  seated();
  Socket.last.tell({ type: 'wanted', seats: [2] });
  assert.deepEqual(room.wanted, [2]);
  Socket.last.tell({
    type: 'seats',
    seats: [0],
    seat: 0,
    former: [2],
    stops: ['roll'],
    skip: 'race',
    deal: true,
    asks: null,
    react: false,
  });
  assert.deepEqual([room.seats, room.former, room.wanted], [[0], [2], []]);
  assert.deepEqual([room.stops, room.skip], [['roll'], 'race']);
});

test('messages about people and the table are shown', () => {
  seated();
  const line = { number: 1, at: 0, seat: 1, name: 'Bob', text: 'Ave!' };
  Socket.last.tell({ type: 'chat', chat: line }, { type: 'muted', muted: ['Bob'] });
  Socket.last.tell({ type: 'table', table: tableWith({ status: 'paused' }) });
  Socket.last.tell({ type: 'stops', stops: ['roll'], skip: null, deal: false, asks: null, react: false });
  assert.deepEqual([room.chat, room.muted, room.table?.status], [[line], ['Bob'], 'paused']);
  assert.deepEqual(room.stops, ['roll']);
});

test('an action ends the hint and the error before it', () => {
  const socket = seated();
  socket.tell({ ...refused, code: 'act.illegal' });
  socket.heard();
  room.act('0-4');
  assert.equal(room.trouble, null);
  const [act] = socket.heard();
  assert.deepEqual({ ...act, ref: null }, { type: 'act', number: 3, action: '0-4', seat: 0, ref: null });
});

test('only messages of the protocol can be sent', () => {
  seated();
  // @ts-expect-error a misspelt type
  room.send({ type: 'caht', text: 'Ave!' });
  // @ts-expect-error a misspelt field
  room.send({ type: 'chat', txet: 'Ave!' });
  room.send({ type: 'chat', text: 'Ave!' });
});
