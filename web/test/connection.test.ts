import assert from 'node:assert/strict';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { Room } from '../src/lib/server/room.svelte';
import { newsAt, Socket, startServer, stopServer, tableWith, viewAt, welcome } from './support/server';

let page: EventTarget;
let room: Room;
beforeEach(() => {
  page = startServer();
  room = new Room('a/b');
});
afterEach(() => {
  room.close();
  stopServer();
});

const seated = (): Socket => Socket.last.open().tell(welcome(), viewAt(3));
const types = (socket: Socket): string[] => socket.heard().map(({ type }) => type);
const lost = { code: 'wire.lost', with: {} };

test('the page introduces itself on every socket, with the last event that it has', () => {
  assert.equal(Socket.last.address, 'wss://play.example/api/tables/a%2Fb/socket');
  assert.equal(room.connection.status, 'connecting');
  const [first] = Socket.last.open().heard();
  assert.ok(first.type === 'hello');
  assert.deepEqual([first.seat, first.after, first.explain], [null, 0, true]);
  Socket.last.tell(welcome(), viewAt(3));
  assert.equal(room.connection.status, 'open');
  Socket.last.close(1006);
  vi.advanceTimersByTime(400);
  const [second] = Socket.last.open().heard();
  assert.ok(second.type === 'hello');
  assert.deepEqual([second.seat, second.after], [0, 3]);
});

test('before the first event the page asks for the position, once on a socket', () => {
  const socket = Socket.last.open();
  socket.heard();
  socket.tell(welcome({ number: 0 }), welcome({ number: 0 }));
  const asked = socket.heard();
  assert.equal(asked.length, 1);
  assert.ok(asked[0].type === 'hello');
  assert.equal(asked[0].after, null);
});

test('a table that waits or is closed has no position to ask for', () => {
  const socket = Socket.last.open();
  socket.heard();
  for (const status of ['waiting', 'closed'] as const)
    socket.tell(welcome({ number: 0, table: tableWith({ status }) }));
  assert.deepEqual(socket.heard(), []);
});

test('an action is sent again on the next socket until the server has stored it', () => {
  const socket = seated();
  socket.heard();
  room.act('0-4');
  assert.equal(room.connection.isPending, true);
  const [act] = socket.heard();
  socket.close(1006);
  assert.equal(room.connection.status, 'lost');
  vi.advanceTimersByTime(400);
  Socket.last.open().heard();
  Socket.last.tell(welcome());
  assert.deepEqual(Socket.last.heard(), [act]);
  Socket.last.tell({ type: 'done', ref: 'of another', number: 4 });
  assert.equal(room.connection.isPending, true);
  Socket.last.tell({ type: 'done', ref: act.ref ?? null, number: 4 });
  assert.equal(room.connection.isPending, false);
  Socket.last.tell(welcome());
  assert.deepEqual(Socket.last.heard(), []);
});

test('an action that was chosen without a connection is kept, too', () => {
  seated().close(1006);
  room.rollDice();
  assert.deepEqual([room.connection.isPending, room.trouble], [true, null]);
  vi.advanceTimersByTime(400);
  Socket.last.open().tell(welcome());
  assert.deepEqual(types(Socket.last), ['hello', 'roll']);
});

test('a refused action is not sent again', () => {
  const socket = seated();
  socket.heard();
  room.act('0-4');
  const [{ ref = null }] = socket.heard();
  socket.tell({ type: 'refused', ref, code: 'act.illegal', with: {}, text: { en: '', fr: '' } });
  assert.deepEqual([room.connection.isPending, room.trouble?.code], [false, 'act.illegal']);
});

test('without a connection any other message is lost, and the page says so', () => {
  room.send({ type: 'chat', text: 'Ave!' });
  assert.deepEqual(room.trouble, lost);
  vi.advanceTimersByTime(400);
  Socket.last.open().tell(welcome());
  assert.deepEqual(types(Socket.last), ['hello']);
});

test('a server that restarts is followed without a notice', () => {
  seated().close(1012);
  room.send({ type: 'chat', text: 'Ave!' });
  assert.deepEqual([room.connection.status, room.trouble], ['open', null]);
  vi.advanceTimersByTime(100);
  Socket.last.open().tell(welcome());
  assert.deepEqual(types(Socket.last), ['hello', 'chat']);
  vi.advanceTimersByTime(5000);
  assert.equal(room.connection.status, 'open');
});

test('a connection that breaks right after a restart is lost', () => {
  seated().close(1012);
  vi.advanceTimersByTime(100);
  Socket.last.open().tell(welcome()).close(1006);
  assert.equal(room.connection.status, 'lost');
});

test('if that takes long the page says so, and drops what it kept', () => {
  seated().close(1012);
  room.send({ type: 'chat', text: 'Ave!' });
  vi.advanceTimersByTime(999);
  assert.equal(room.connection.status, 'open');
  vi.advanceTimersByTime(1);
  assert.equal(room.connection.status, 'lost');
  Socket.last.open().tell(welcome());
  assert.deepEqual(types(Socket.last), ['hello']);
});

test('after joining, a new socket takes over from the old one', () => {
  const old = seated();
  room.reconnect();
  assert.equal(old.readyState, Socket.CLOSED);
  assert.deepEqual([room.connection.status, room.number, room.log], ['open', 0, []]);
  const [hello] = Socket.last.open().heard();
  assert.ok(hello.type === 'hello');
  assert.equal(hello.after, 0);
  assert.equal(Socket.all.length, 2);
});

test('the waits between attempts grow, up to five seconds', () => {
  for (const wait of [400, 800, 1600, 3200, 5000, 5000]) {
    const sockets = Socket.all.length;
    Socket.last.close(1006);
    vi.advanceTimersByTime(wait - 1);
    assert.equal(Socket.all.length, sockets, `before ${wait} ms`);
    vi.advanceTimersByTime(1);
    assert.equal(Socket.all.length, sockets + 1, `after ${wait} ms`);
  }
});

test('after a welcome the waits begin anew', () => {
  Socket.last.close(1006);
  vi.advanceTimersByTime(400);
  seated().close(1006);
  vi.advanceTimersByTime(400);
  assert.equal(Socket.all.length, 3);
});

test('when the device is online again the page tries at once', () => {
  seated();
  page.dispatchEvent(new Event('offline'));
  assert.equal(room.connection.status, 'lost');
  page.dispatchEvent(new Event('online'));
  assert.equal(Socket.all.length, 2);
  vi.advanceTimersByTime(10_000);
  assert.equal(Socket.all.length, 2);
});

test('a table that is gone, damaged or refused is not tried again', () => {
  for (const [code, status] of [
    [4404, 'gone'],
    [4503, 'damaged'],
    [4401, 'refused'],
  ] as const) {
    const other = new Room('other');
    const sockets = Socket.all.length;
    Socket.last.open().close(code);
    vi.advanceTimersByTime(60_000);
    assert.deepEqual([other.connection.status, Socket.all.length], [status, sockets]);
    other.close();
  }
});

test('who has lost the seat looks on from none', () => {
  seated().close(1006);
  vi.advanceTimersByTime(400);
  const text = { en: 'This is not your seat.', fr: 'Ce n’est pas votre place.' };
  Socket.last.open().tell({ type: 'refused', ref: null, code: 'look.not-yours', with: {}, text });
  Socket.last.close(4401);
  assert.deepEqual([room.seat, room.view, room.trouble], [-1, null, null]);
  const [hello] = Socket.last.open().heard();
  assert.ok(hello.type === 'hello');
  assert.deepEqual([hello.seat, hello.after], [null, 0]);
});

test('a silent server is asked whether it is there, and left if it does not answer', () => {
  const socket = seated();
  socket.heard();
  vi.advanceTimersByTime(10_000);
  assert.deepEqual(types(socket), []);
  vi.advanceTimersByTime(5000);
  assert.deepEqual(types(socket), ['ping']);
  socket.tell({ type: 'pong', ref: null });
  vi.advanceTimersByTime(10_000);
  assert.deepEqual(types(socket), []);
  socket.tell(newsAt(4));
  vi.advanceTimersByTime(25_000);
  assert.equal(room.connection.status, 'open');
  vi.advanceTimersByTime(5000);
  assert.equal(room.connection.status, 'lost');
});

test('a closed room stays closed', () => {
  const socket = seated();
  room.close();
  page.dispatchEvent(new Event('online'));
  vi.advanceTimersByTime(60_000);
  assert.deepEqual([socket.readyState, Socket.all.length], [Socket.CLOSED, 1]);
});
