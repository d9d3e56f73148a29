// The one socket that the page holds outside of a table: open tables, games to watch, people, and the reader's games.
import { navigate } from '../app/router.svelte';
import { showWaiting } from '../app/push';
import { introduce, keepToken, Refusal } from './api';
import { findStanding, house } from './house.svelte';
import { keepGames, lastGames } from './lastSeen';
import type {
  Circle,
  LiveClientMessage,
  LiveServerMessage,
  LobbyTable,
  MyGame,
  MyLeagues,
  Quick,
} from './protocol';

interface Live {
  isOpen: boolean; // whether the server has sent what there is
  isLost: boolean; // whether it has not answered for some time
  tables: LobbyTable[];
  present: number;
  games: MyGame[] | null; // the reader's, that are not over; null until the server has said
  company: Circle | null; // friends, requests, blocks and invitations
  leagues: MyLeagues | null; // and invitations to leagues
  search: { game: string; seats: number; isAlone: boolean } | null; // for a quick game
  tournaments: string[] | null; // those in which something has happened last
  fault: unknown; // why the server has refused something
}

export const live: Live = $state({
  isOpen: false,
  isLost: false,
  tables: [],
  present: 0,
  games: null,
  company: null,
  leagues: null,
  search: null,
  tournaments: null,
  fault: null,
});

const CHECK_MS = 10_000;
const SILENT_MS = 25_000;
const LONGEST_WAIT_MS = 8000;
const CLOSED = 4403; // the close code for somebody to whom the house is closed

let socket: WebSocket | null = null;
let isWanted = false;
let attempts = 0;
let heardAt = 0;
let wish: Quick | null = null; // sent again on every new socket
let retry: ReturnType<typeof setTimeout> | undefined;

function receive(message: LiveServerMessage): void {
  switch (message.type) {
    case 'lobby':
      live.tables = message.tables;
      live.present = message.present;
      live.isOpen = true;
      house.closed = null;
      live.isLost = false;
      attempts = 0;
      if (wish) send(wish);
      break;
    case 'changed': {
      const changed = new Map(message.tables.map((table) => [table.id, table]));
      const kept = live.tables.filter((table) => !message.gone.includes(table.id));
      const known = new Set(kept.map((table) => table.id));
      const added = message.tables.filter((table) => !known.has(table.id));
      live.tables = [...added, ...kept.map((table) => changed.get(table.id) ?? table)];
      live.present = message.present ?? live.present;
      break;
    }
    case 'games':
      live.games = message.games;
      keepGames(message.games);
      showWaiting(message.games.filter((game) => game.mine && game.turn !== null).length);
      break;
    case 'company':
      live.company = message.company;
      break;
    case 'leagues':
      live.leagues = message;
      break;
    case 'tournaments':
      live.tournaments = message.ids;
      break;
    case 'quick':
      if (message.state === 'paired' && message.table) {
        endSearch();
        keepToken(message.table, null);
        navigate(`/t/${message.table}`);
      } else if (message.state === 'idle') endSearch();
      else if (live.search) live.search.isAlone = message.state === 'alone';
      break;
    case 'standing':
      void findStanding();
      break;
    case 'refused':
      endSearch();
      if (message.code.startsWith('house.') && !live.isOpen)
        refuse(new Refusal(message.code, message.text, 403));
      live.fault = new Refusal(message.code, message.text, 400);
      break;
  }
}

function refuse(fault: Refusal): void {
  house.closed = fault;
}

function endSearch(): void {
  wish = null;
  live.search = null;
}

/** Looks for somebody who wants to play this game. */
export async function seek(game: string, seats: number, name: string): Promise<void> {
  live.fault = null;
  await introduce();
  wish = { type: 'quick', game, seats, name };
  live.search = { game, seats, isAlone: false };
  if (live.games === null)
    reconnect(); // the server knows this device only now
  else send(wish);
}

export function cancelSearch(): void {
  endSearch();
  send({ type: 'cancel' });
}

function open(): void {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const own = new WebSocket(`${scheme}://${location.host}/api/live`);
  socket = own;
  heardAt = Date.now();
  own.onmessage = (message) => {
    heardAt = Date.now();
    if (socket === own) receive(JSON.parse(message.data as string) as LiveServerMessage);
  };
  own.onclose = (event) => {
    if (socket !== own) return;
    socket = null;
    live.isOpen = false;
    if (event.code === CLOSED) {
      isWanted = false;
      live.isLost = false;
      void findStanding();
      return;
    }
    live.games ??= lastGames();
    live.isLost = isWanted && attempts > 0;
    if (isWanted)
      retry = setTimeout(
        connect,
        Math.min(500 * 2 ** attempts++, LONGEST_WAIT_MS) * (0.75 + Math.random() / 2),
      );
  };
}

/** Opens the socket, unless it is open. It opens again by itself. */
export function connect(): void {
  isWanted = true;
  clearTimeout(retry);
  if (!socket) open();
}

/** Closes the socket, and ends a search: a table has a socket of its own. */
export function hangUp(): void {
  isWanted = false;
  endSearch();
  drop();
}

function drop(): void {
  clearTimeout(retry);
  const old = socket;
  socket = null;
  live.isOpen = false;
  old?.close();
}

/** Opens the socket anew, because the reader is somebody else now. */
export function reconnect(): void {
  if (!isWanted) return;
  drop();
  live.games = live.company = live.leagues = null;
  connect();
}

export function send(message: LiveClientMessage): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

/** A silent server is asked whether it is there; one that does not answer is left. */
function check(): void {
  if (!socket || document.hidden) return;
  const silent = Date.now() - heardAt;
  if (silent > SILENT_MS) socket.close();
  else if (silent > CHECK_MS) send({ type: 'ping' });
}
setInterval(check, CHECK_MS / 2);
addEventListener('online', () => {
  if (isWanted) connect();
});
