// What the parts of a game ask of a table. Room answers for a table of the server, LessonRoom for a lesson.
import { getContext, setContext } from 'svelte';
import type { Note } from '../text/words.svelte';
import type { Event, Table } from './api';
import type { ClientMessage, SetAskedWhen, Skip, StandingOrder } from './protocol';

export type Asks = SetAskedWhen['when'];
export const ASKS: Asks[] = ['concerns', 'could', 'always'];

export interface PlayRoom {
  readonly table: Table | null; // null in a lesson
  readonly seat: number; // the reader's; -1 is a spectator
  readonly seats: number[]; // all seats of this device
  readonly number: number; // of the last event
  readonly log: Event[];
  readonly skip: Skip['until']; // what the seat passes until
  readonly asks: Asks | null; // on which occasions the seat is asked; null if it has not chosen
  readonly react: boolean; // it is asked in the next window in which it might play something
  readonly deal: boolean; // it is asked in the next window in which it can make a deal
  readonly answerMs: number | null; // the time for an answer in a window that lasts a beat
  readonly answerAt: number; // when it began
  readonly isHeld: boolean; // the seat holds the open window
  readonly coach: { position: Note[] } | null; // what the coach says about this position, if it is on
  readonly orders: StandingOrder[]; // what the server does in the seat's name
  readonly why: Record<string, Note[]> | null; // why cards or pieces of this seat cannot be played
  readonly touched: string | null; // the card or piece that was touched last and cannot be played
  act(action: string): void;
  send(message: ClientMessage): void;
  /** Asks why a card or piece cannot be played. */
  touch(thing: string): void;
  askWhy(): void;
}

const KEY = 'room';

/** Gives the room to the board, where a piece that cannot be moved asks it why. */
export const setPlayRoom = (room: PlayRoom): void => void setContext(KEY, room);

/** Returns the room; a replay has none. */
export const getPlayRoom = (): PlayRoom | undefined => getContext<PlayRoom | undefined>(KEY);
