// Engine messages with people's names in them, and actions in words.
import { chariotName, fieldOf, type Field } from '../../games/ben-hvrt/chariots';
import type { Legal } from '../server/room.svelte';
import type { BenGeometry, Card, Geometry, View } from '../server/views';
import type { Event, Table } from '../server/api';
import { inOwn, listed, say, told, type Note } from './words.svelte';

// Charioteers of old, for bots that have no better name than what they are.
const CHARIOTEERS = ['Scorpus', 'Diocles', 'Fuscus', 'Crescens', 'Porphyrius', 'Tatianus', 'Thallus', 'Musclosus', 'Epaphroditus', 'Felix', 'Uranius', 'Teres'];

export const nameOf = (table: Table, seat: number | null): string => {
  if (seat === null || seat < 0) return '';
  const here = table.seats[seat];
  if (!here) return say('seat.name', { number: seat + 1 });
  if (here.kind === 'bot' && (!here.name || here.name === here.bot)) return CHARIOTEERS[seat % CHARIOTEERS.length];
  return here.name || told(here.called);
};

/** All names, told apart by their colour where two are alike. */
export function namesOf(table: Table): string[] {
  const plain = table.seats.map((seat) => nameOf(table, seat.seat));
  const colour = (i: number): string => (table.game === 'ur' ? told(table.seats[i].called) : say(`colour.${i % 12}`));
  return plain.map((name, i) => (plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${name} (${colour(i)})`));
}

const isNote = (value: unknown): value is Note => typeof value === 'object' && value !== null && typeof (value as Note).id === 'string';

/** A note of the engine; seats become names, in messages within messages too. */
export function tell(note: Note, names: string[], game: string): string {
  const given = { ...(note.with ?? {}) };
  for (const [key, value] of Object.entries(given)) if (isNote(value)) given[key] = tell(value, names, game);
  if (typeof given.seat === 'number') given.seat = names[given.seat - 1] ?? given.seat;
  if (Array.isArray(given.seats)) given.seats = listed(given.seats.map((seat) => names[Number(seat) - 1] ?? String(seat)));
  return told({ ...note, with: given });
}

export const sentence = (notes: Note[] | undefined, names: string[], game: string): string =>
  (notes ?? []).map((note) => tell(note, names, game)).join(', ');

export const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** One line of the log for the eye: the name of a space says little beside a board. */
export const glance = (event: Event, names: string[], game: string): string =>
  line({ ...event, notes: event.notes?.map((note) => (note.id === 'ave-caesar.why.drives' ? { ...note, id: 'log.drives' } : note)) }, names, game);

const driven = (note: Note): Note => (note.id === 'ben-hvrt.why.steps' ? { ...note, id: 'log.steps' } : note);

/** The notes of a drive of many steps: where it ends, and all else that came of it. */
export const drive = (before: Note[] = [], after: Note[] = []): Note[] => {
  const steps = (note: Note): boolean => note.id === 'ben-hvrt.why.steps';
  return after.some(steps) ? [...before.filter((note) => !steps(note)), ...after] : [...before, ...after];
};

/** One line of the log. */
export function line(event: Event, names: string[], game: string): string {
  if (event.kind === 'undo') return say('log.undo', { name: names[event.seat ?? 0] });
  const what = sentence(event.notes?.map(driven), names, game) || (event.text === null ? say(event.kind === 'chance' ? 'log.card' : 'log.veiled') : event.text);
  if (event.seat === null) return capital(what);
  return `${names[event.seat] ?? ''} ${what}`;
}

const cardName = (geometry: Geometry | null, name: string): string => {
  const cards = (geometry as BenGeometry | null)?.cards;
  const found = cards?.find((card) => card.name === name);
  return found ? inOwn(found.names) : name;
};

/** A card's name and the numbers after it; a name may end in a number itself, so the longest that fits is meant. */
export function cardAndNumbers(text: string, cards: Card[]): { name: string; numbers: number[] } {
  const fitting = cards.map((card) => card.name).filter((name) => text === name || text.startsWith(`${name} `));
  const name = fitting.sort((a, b) => b.length - a.length)[0] ?? text;
  return { name, numbers: text.slice(name.length).split(' ').filter(Boolean).map(Number) };
}

function benLabel(text: string, view: View, geometry: Geometry | null, names: string[]): string | null {
  if (view.game !== 'ben-hvrt') return null;
  const word = text.split(' ')[0];
  const rest = text.slice(word.length + 1);
  const cards = (geometry as BenGeometry | null)?.cards ?? [];
  const { name, numbers } = cardAndNumbers(rest, cards);
  const field = fieldOf(view);
  const chariots = numbers.map((n) => chariotName(n, field, names, view.seat));
  switch (word) {
    case 'buy':
      return say('act.buy', { n: view.lot?.price ?? '' });
    case 'auction':
      return say('act.auction');
    case 'bid':
      return say('act.bid', { n: view.lot?.bid ?? '' });
    case 'pass':
      return say(view.phase === 'auction' ? 'act.out' : 'act.pass');
    case 'ready':
    case 'accept':
    case 'decline':
    case 'stop':
      return say(`act.${word}`);
    case 'fit':
      return say(field.chariots > field.seats ? 'act.fit.to' : 'act.fit', { card: cardName(geometry, name), chariot: chariots[0] ?? '' });
    case 'keep':
      return say('act.keep', { card: cardName(geometry, name), n: view.due?.cost ?? '' });
    case 'drop':
      return say('act.drop', { card: cardName(geometry, name) });
    case 'use':
      return say('act.use', { card: cardName(geometry, rest) });
    case 'keep-die':
      return say('act.keep-die', { n: rest });
    case 'offer':
      return say('act.offer');
    case 'bribe':
      return say('act.bribe');
    case 'step':
    case 'shift':
      return say(`act.${word}`, { square: rest });
    case 'play': {
      if (!numbers.length) return say('act.play', { card: cardName(geometry, name) });
      const on = cards.find((other) => other.name === name)?.takes === 'value' ? numbers[0] : chariots.join(' → ');
      return say('act.play.on', { card: cardName(geometry, name), on });
    }
  }
  return null;
}

/** What to write on the button of an action, and what it does. */
export function label(legal: Legal, view: View, geometry: Geometry | null, names: string[]): { short: string; long: string } {
  const long = capital(sentence(legal.notes, names, view.game));
  const ben = benLabel(legal.text, view, geometry, names);
  if (ben) return { short: ben, long: long || ben };
  const ur = /^(\d+)-(\d+)$/.exec(legal.text);
  if (ur && view.game === 'ur') return { short: legal.text.replace('-', ' → '), long: long || legal.text };
  if (legal.text.startsWith('bottom ')) return { short: say('act.bottom', { n: legal.text.slice(7) }), long };
  return { short: long || legal.text, long: long || legal.text };
}

/** An offer or a bribe that is written out, in words; null of anything else. */
export function dealt(text: string, geometry: Geometry | null, names: string[]): string | null {
  const side = (written: string): string =>
    written === 'nothing' ? say('ben-hvrt.nothing') : listed(written.split(', ').map((part) => (/^\d+$/.test(part) ? say('ben-hvrt.ducats', { n: Number(part) }) : cardName(geometry, part))));
  const offer = /^offer (\d+) give (.+) for (.+)$/.exec(text);
  if (offer) return say('hint.offer', { name: names[Number(offer[1])], give: side(offer[2]), want: side(offer[3]) });
  const bribe = /^bribe (\d+) (.+)$/.exec(text);
  if (!bribe || geometry?.game !== 'ben-hvrt') return null;
  const { name, numbers } = cardAndNumbers(bribe[2], geometry.cards);
  const given = { name: names[Number(bribe[1])], card: cardName(geometry, name), n: numbers.at(-1) };
  if (numbers.length < 2) return say('hint.bribe', given);
  const field: Field = geometry;
  return say('hint.bribe.on', { ...given, chariot: chariotName(numbers[0], field, names) });
}
