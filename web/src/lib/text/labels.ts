// Names of players, and the server's notes, events and actions in words.
import { moduleOf } from '../../games/registry';
import type { Act } from '../../games/module';
import type { Event, Table } from '../server/api';
import type { Legal } from '../server/room.svelte';
import type { Geometry, View } from '../server/views';
import { joinList, say, sayNote, type Note } from './words.svelte';

// Charioteers of antiquity, for bots without a name of their own.
const CHARIOTEERS = [
  'Scorpus',
  'Diocles',
  'Fuscus',
  'Crescens',
  'Porphyrius',
  'Tatianus',
  'Thallus',
  'Musclosus',
  'Epaphroditus',
  'Felix',
  'Uranius',
  'Teres',
];

export const nameOf = (table: Table, seat: number | null): string => {
  if (seat === null || seat < 0) return '';
  const here = table.seats[seat];
  if (!here) return say('seat.name', { number: seat + 1 });
  if (here.kind === 'bot' && (!here.name || here.name === here.bot))
    return CHARIOTEERS[seat % CHARIOTEERS.length];
  return here.name || sayNote(here.called);
};

/** Whether the game has a name for a seat, such as Black; a numbered seat has none. */
export const hasOwnName = (called: Note): boolean => called.id !== 'seat.name';

/** Returns all names. Where two are alike, the colour tells them apart. */
export function namesOf(table: Table): string[] {
  const plain = table.seats.map((seat) => nameOf(table, seat.seat));
  const colour = (i: number): string =>
    hasOwnName(table.seats[i].called) ? sayNote(table.seats[i].called) : say(`colour.${i % 12}`);
  return plain.map((name, i) =>
    plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${name} (${colour(i)})`,
  );
}

export const isNote = (value: unknown): value is Note =>
  typeof value === 'object' && value !== null && typeof (value as Note).id === 'string';

/** Returns a note in words, with names for seats; a note may contain others. */
export function noteText(note: Note, names: string[]): string {
  const given = { ...(note.with ?? {}) };
  for (const [key, value] of Object.entries(given)) if (isNote(value)) given[key] = noteText(value, names);
  if (typeof given.seat === 'number') given.seat = names[given.seat - 1] ?? given.seat;
  if (Array.isArray(given.seats))
    given.seats = joinList(given.seats.map((seat) => names[Number(seat) - 1] ?? String(seat)));
  return sayNote({ ...note, with: given });
}

export const notesText = (notes: Note[] | undefined, names: string[]): string =>
  (notes ?? []).map((note) => noteText(note, names)).join(', ');

export const capitalise = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Returns one line of the log. */
export function logLine(event: Event, names: string[]): string {
  if (event.kind === 'undo') return say('log.undo', { name: names[event.seat ?? 0] });
  const what =
    notesText(event.notes, names) ||
    (event.text === null ? say(event.kind === 'chance' ? 'log.card' : 'log.veiled') : event.text);
  if (event.seat === null) return capitalise(what);
  return `${names[event.seat] ?? ''} ${what}`;
}

/** Returns one line of the log for the eye: beside a board less need be said. */
export function shortLogLine(event: Event, names: string[], game: string): string {
  const shorten = moduleOf(game).glanceNote;
  return logLine(shorten ? { ...event, notes: event.notes?.map(shorten) } : event, names);
}

/** Returns an action with the label of its button and an explanation. */
export function describeAction(
  legal: Legal,
  game: string,
  view: View,
  geometry: Geometry,
  names: string[],
): Act {
  const long = capitalise(notesText(legal.notes, names));
  const short = moduleOf(game).label(legal.text, view, geometry, names) ?? (long || legal.text);
  return { text: legal.text, words: long || short, short, family: legal.family ?? false };
}
