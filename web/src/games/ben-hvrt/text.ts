// Positions, headlines and the log of Ben Hvrt in words.
import type { Event } from '../../lib/server/api';
import { capitalise } from '../../lib/text/labels';
import { localised, say, sayNote, type Note } from '../../lib/text/words.svelte';
import { chariotName, lapName, ownersOf, which } from './chariots';
import { isOwnRoll } from './drive';
import type { BenGeometry, BenView } from './view';

/** Returns the name of a card in the reader's language. */
export const cardName = (geometry: BenGeometry, name: string): string =>
  localised(geometry.cards.find((card) => card.name === name)?.names) || name;

/** Returns what a card does, for `card:NAME`. */
export function cardTerm(term: string, geometry: BenGeometry): { name: string; text: string } | null {
  const card = term.startsWith('card:')
    ? geometry.cards.find((each) => each.name === term.slice(5))
    : undefined;
  if (!card) return null;
  const upkeep = card.upkeep ? ` (${localised(card.upkeep)})` : '';
  return { name: localised(card.names), text: `${localised(card.texts)}${upkeep}` };
}

/** Returns the name of a square. */
export const placeName = (geometry: BenGeometry, square: string): string =>
  geometry.places[square] ? sayNote(geometry.places[square]) : square;

export function headline(view: BenView, names: string[]): string | null {
  if (view.offer) return say('turn.ben.answer', { name: names[view.offer.maker] });
  if (isOwnRoll(view) && view.move?.roll != null) return ownRoll(view);
  if (view.window) return say('turn.ben.window', { window: say(`ben-hvrt.window.${view.window}`) });
  if (view.lot)
    return say(view.lot.bid === null ? 'turn.ben.lot' : 'turn.ben.bid', {
      n: view.lot.bid ?? view.lot.price,
    });
  if (view.due) return say('turn.ben.due');
  if (view.move?.stage === 'steps') return capitalise(stepsLeft(view, names));
  return view.phase === 'market' ? say('turn.ben.market') : null;
}

/** Returns how far the reader's own roll takes them, while it can still be changed. */
function ownRoll(view: BenView): string {
  const { roll, chariot } = view.move!;
  const speed = view.chariots[chariot].speed;
  return say('turn.ben.roll', { roll, speed, n: Math.max(0, speed + (roll ?? 0)) });
}

/** Returns the steps of a move; before the first one, how they add up. */
function stepsLeft(view: BenView, names: string[]): string {
  const { chariot, steps, roll } = view.move!;
  const speed = view.chariots[chariot].speed;
  const owners = ownersOf(view);
  const who = which(chariot, owners) ? chariotName(chariot, owners, names, view.seat) : say('turn.ben.move');
  if (roll === null || roll < 0 || roll + speed !== steps)
    return say('turn.ben.steps', { chariot: who, n: steps });
  return say('turn.ben.sum', { chariot: who, n: steps, roll, speed });
}

/** During a race nobody learns whom the server asks. */
export const waiting = (view: BenView): string | null =>
  view.phase === 'race' && view.turn === null ? say('turn.ben.wait') : null;

export const subline = (view: BenView): string =>
  view.laps
    ? say('sub.ben', {
        race: view.race,
        races: view.races,
        n: view.laps,
        phase: say(`ben.phase.${view.phase}`),
      })
    : say('sub.ben.start', { n: view.races });

export const held = (view: BenView, geometry: BenGeometry): string | null =>
  view.hand.length
    ? say('text.hand', { cards: view.hand.map((name) => cardName(geometry, name)).join(', ') })
    : null;

export function position(view: BenView, geometry: BenGeometry, names: string[]): string[] {
  const lines = [
    say('text.ben', {
      race: view.race,
      races: view.races,
      n: view.laps ?? '?',
      pot: view.pot,
      phase: say(`ben.phase.${view.phase}`),
    }),
  ];
  for (const player of view.players) {
    lines.push(
      say('text.ben.player', {
        name: names[player.seat],
        colour: say(`colour.${player.seat % 12}`),
        purse: player.purse,
        n: player.cards,
      }),
    );
    for (const chariot of view.chariots.filter((other) => other.seat === player.seat && other.racing)) {
      const name = chariotName(chariot.number, ownersOf(view), names, view.seat);
      lines.push(
        capitalise(
          say('text.ben.chariot', {
            chariot: name,
            place: chariot.square ? placeName(geometry, chariot.square) : '',
            lap: lapName(chariot.lap),
            speed: chariot.speed,
          }),
        ),
      );
    }
  }
  const hand = held(view, geometry);
  return hand === null ? lines : [...lines, hand];
}

const isStepNote = (note: Note): boolean => note.id === 'ben-hvrt.why.steps';

/** The ante is paid by everybody, though it follows the action of one. */
export const isForAll = (note: Note): boolean => note.id === 'ben-hvrt.why.ante';

/** A pass, and a card that is dealt, are not worth a line. */
export const isIdle = (note: Note): boolean =>
  note.id === 'ben-hvrt.why.passes' || note.id === 'ben-hvrt.why.dealt';

export const isStep = (event: Event): boolean => event.kind === 'play' && !!event.text?.startsWith('step ');

/** Joins the notes of two steps of a drive: where it ends, and everything else that came of it. */
export const joinNotes = (before: Note[], after: Note[]): Note[] =>
  after.some(isStepNote) ? [...before.filter((note) => !isStepNote(note)), ...after] : [...before, ...after];

export const section = (section: Record<string, unknown>): string =>
  say('log.laps', { race: section.race, n: section.laps });

/** Returns what the die shows; null where the outcome is no roll. */
export const rolled = (text: string): number | null => {
  const found = /^(?:roll|die) (\d+)$/.exec(text);
  return found ? Number(found[1]) : null;
};
