// Messages of the socket; docs/protocol.md describes all of them.
import type { Event, Table, Texts } from './api';
import type { View } from './views';
import type { Note } from '../text/words.svelte';

export interface Legal {
  text: string;
  notes?: Note[];
  family?: boolean;
}

export interface Chat {
  number: number;
  seat: number;
  name: string;
  text: string;
  at: number;
}

export interface Clock {
  left: number[];
  runs: number | null;
  mine: number | null;
}

/** The bot's estimate of an action; docs/protocol.md says what a chance is. */
export interface Considered {
  text: string;
  chance: number;
  how: 'exact' | 'searched' | 'playouts';
  tries: number;
}

export interface Hint {
  text: string;
  bot: string;
  meanwhile: boolean;
  reason: Note[];
  considered: Considered[];
  values: Record<string, number>;
}

/** A position: all of it, or the events since the last one. */
export interface Position {
  type: 'view' | 'news';
  number: number;
  seat: number;
  events: Event[];
  view: View;
  legal: Legal[] | null;
  undo: boolean;
  roll: boolean;
  clock: Clock | null;
}

/** Everything that the server sends over the socket. */
export type Received =
  | { type: 'welcome'; number: number; seat: number | null; seats: number[]; former?: number[]; table: Table; chat: Chat[]; muted?: string[]; stops?: string[]; token?: string }
  | Position
  | { type: 'table'; table: Table }
  | { type: 'seats'; seats: number[]; former: number[]; stops: string[] }
  | { type: 'chat'; chat: Chat }
  | { type: 'done'; ref?: string }
  | ({ type: 'refused'; ref?: string; number?: number; legal?: Legal[] | null } & Trouble)
  | ({ type: 'hint' } & Hint)
  | { type: 'why'; number: number; seat: number; things: Record<string, Note[]> }
  | { type: 'wanted'; seats: number[] }
  | { type: 'stops'; stops: string[] }
  | { type: 'muted'; muted: string[] };

export interface Trouble {
  code: string;
  with: Record<string, unknown>;
  text?: Texts;
}
