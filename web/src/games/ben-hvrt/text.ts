// Positions, headlines and the log of Ben Hvrt in words.
import type { Event } from '../../lib/server/api';
import { capitalise } from '../../lib/text/labels';
import { localised, say, type Note } from '../../lib/text/words.svelte';
import { chariotName, lapName, ownersOf } from './chariots';
import type { BenGeometry, BenView } from './view';

/** Returns the name of a card in the reader's language. */
export const cardName = (geometry: BenGeometry, name: string): string => localised(geometry.cards.find((card) => card.name === name)?.names) || name;

export function headline(view: BenView, names: string[]): string | null {
  if (view.offer) return say('turn.ben.answer', { name: names[view.offer.maker] });
  if (view.window) return say('turn.ben.window', { window: say(`ben-hvrt.window.${view.window}`) });
  if (view.lot) return say(view.lot.bid === null ? 'turn.ben.lot' : 'turn.ben.bid', { n: view.lot.bid ?? view.lot.price });
  if (view.due) return say('turn.ben.due');
  if (view.move?.stage === 'steps') return capitalise(say('turn.ben.steps', { chariot: chariotName(view.move.chariot, ownersOf(view), names, view.seat), n: view.move.steps }));
  return view.phase === 'market' ? say('turn.ben.market') : null;
}

/** During a race nobody learns whom the server asks. */
export const waiting = (view: BenView): string | null => (view.phase === 'race' && view.turn === null ? say('turn.ben.wait') : null);

export const subline = (view: BenView): string =>
  view.laps ? say('sub.ben', { race: view.race, races: view.races, n: view.laps, phase: say(`ben.phase.${view.phase}`) }) : say('sub.ben.start', { n: view.races });

export const held = (view: BenView, geometry: BenGeometry): string | null =>
  view.hand.length ? say('text.hand', { cards: view.hand.map((name) => cardName(geometry, name)).join(', ') }) : null;

export function position(view: BenView, geometry: BenGeometry, names: string[]): string[] {
  const lines = [say('text.ben', { race: view.race, races: view.races, n: view.laps ?? '?', pot: view.pot, phase: say(`ben.phase.${view.phase}`) })];
  for (const player of view.players) {
    lines.push(say('text.ben.player', { name: names[player.seat], colour: say(`colour.${player.seat % 12}`), purse: player.purse, n: player.cards }));
    for (const chariot of view.chariots.filter((other) => other.seat === player.seat && other.racing)) {
      const name = chariotName(chariot.number, ownersOf(view), names, view.seat);
      lines.push(capitalise(say('text.ben.chariot', { chariot: name, square: chariot.square ?? '', lap: lapName(chariot.lap), speed: chariot.speed })));
    }
  }
  const hand = held(view, geometry);
  return hand === null ? lines : [...lines, hand];
}

const isStepNote = (note: Note): boolean => note.id === 'ben-hvrt.why.steps';

export const logNote = (note: Note): Note => (isStepNote(note) ? { ...note, id: 'log.steps' } : note);

export const isStep = (event: Event): boolean => event.kind === 'play' && !!event.text?.startsWith('step ');

/** Joins the notes of two steps of a drive: where it ends, and everything else that came of it. */
export const joinNotes = (before: Note[], after: Note[]): Note[] => (after.some(isStepNote) ? [...before.filter((note) => !isStepNote(note)), ...after] : [...before, ...after]);

export const section = (section: Record<string, unknown>): string => say('log.laps', { race: section.race, n: section.laps });

/** Returns what the die shows; null where the outcome is no roll. */
export const rolled = (text: string): number | null => {
  const found = /^(?:roll|die) (\d+)$/.exec(text);
  return found ? Number(found[1]) : null;
};
