// Engine messages with people's names in them, and actions in words.
import { livery } from './players';
import type { Legal } from './room.svelte';
import type { BenGeometry, Geometry, View } from './views';
import type { Event, Table } from './wire';
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

/** All names, told apart by their letter where two are alike. */
export function namesOf(table: Table): string[] {
  const plain = table.seats.map((seat) => nameOf(table, seat.seat));
  return plain.map((name, i) => (plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${name} ${livery(i).letter}`));
}

/** A note of the engine; seats become names and chariots letters. */
export function tell(note: Note, names: string[], game: string): string {
  const given = { ...(note.with ?? {}) };
  if (typeof given.seat === 'number') given.seat = names[given.seat - 1] ?? given.seat;
  if (Array.isArray(given.seats)) given.seats = listed(given.seats.map((seat) => names[Number(seat) - 1] ?? String(seat)));
  if (game === 'ben-hvrt' && typeof given.chariot === 'number') given.chariot = livery(given.chariot).letter;
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

function benLabel(text: string, view: View, geometry: Geometry | null): string | null {
  if (view.game !== 'ben-hvrt') return null;
  const word = text.split(' ')[0];
  const rest = text.slice(word.length + 1);
  const numbered = /^(.*?)((?: \d+)*)$/.exec(rest);
  const name = numbered ? numbered[1] : rest;
  const numbers = (numbered?.[2] ?? '').trim().split(' ').filter(Boolean).map(Number);
  const letters = numbers.map((n) => livery(n).letter);
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
      return say('act.fit', { card: cardName(geometry, name), letter: letters[0] ?? '' });
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
      const card = (geometry as BenGeometry | null)?.cards.find((other) => other.name === name);
      const on = !numbers.length ? '' : card?.takes === 'value' ? `: ${numbers[0]}` : `: ${letters.join(' → ')}`;
      return say('act.play', { card: cardName(geometry, name) }) + on;
    }
  }
  return null;
}

/** What to write on the button of an action, and what it does. */
export function label(legal: Legal, view: View, geometry: Geometry | null, names: string[]): { short: string; long: string } {
  const long = capital(sentence(legal.notes, names, view.game));
  const ben = benLabel(legal.text, view, geometry);
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
  const bribe = /^bribe (\d+) (\D+?)(?: (\d+))? (\d+)$/.exec(text);
  if (!bribe) return null;
  const given = { name: names[Number(bribe[1])], card: cardName(geometry, bribe[2]), n: bribe[4] };
  return bribe[3] === undefined ? say('hint.bribe', given) : say('hint.bribe.on', { ...given, letter: livery(Number(bribe[3])).letter });
}
