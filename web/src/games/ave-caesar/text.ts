// Moves, positions and results of Ave Caesar in words.
import { livery } from '../../lib/drawing/liveries';
import { noteText } from '../../lib/text/labels';
import type { Note } from '../../lib/text/words.svelte';
import { hasMessage, ordinal, say } from '../../lib/text/words.svelte';
import type { AveGeometry, AveView } from './view';

/** Returns the name of a course; those of a player's own file have only one. */
export const courseName = (course: string): string =>
  hasMessage(`ave.course.${course}`) ? say(`ave.course.${course}`) : course;

const arrow = (direction: unknown): string => (direction === 'cw' ? '↻' : '↺');

/** Returns the label of an action that is not on the board: a card that is put under the deck. */
export const label = (text: string): string | null =>
  text.startsWith('bottom ') ? say('act.bottom', { n: text.slice('bottom '.length) }) : null;

/** Returns the name of a space of the course that is raced. */
export function placeName(geometry: AveGeometry, view: AveView, space: string): string {
  const place = geometry.courses[view.course]?.places[view.direction][space];
  return place ? noteText(place, []) : '';
}

/** Returns the card and the space of a move. */
export function brief(text: string, view: AveView, geometry: AveGeometry): string | null {
  const driven = /^(\d) (\S+)$/.exec(text);
  return driven
    ? `${driven[1]} → ${driven[2] === 'finish' ? say('ave.finish') : placeName(geometry, view, driven[2])}`
    : null;
}

export const headline = (view: AveView): string =>
  say(view.phase === 'bottom' ? 'turn.ave.bottom' : 'turn.ave.move');

export const subline = (view: AveView): string =>
  say('sub.ave', {
    race: view.race,
    races: view.races,
    course: courseName(view.course),
    direction: arrow(view.direction),
  });

export const held = (view: AveView): string | null =>
  view.hand.length ? say('text.hand', { cards: view.hand.join(', ') }) : null;

export function position(view: AveView, geometry: AveGeometry, names: string[]): string[] {
  const lines = [
    say('text.ave', {
      race: view.race,
      races: view.races,
      course: courseName(view.course),
      direction: say(`ave.${view.direction}`),
    }),
  ];
  for (const seat of view.order) {
    const chariot = view.chariots[seat];
    lines.push(
      say(chariot.status === 'racing' ? 'text.ave.racing' : 'text.ave.done', {
        name: names[seat],
        letter: livery(seat).letter,
        place: chariot.space ? placeName(geometry, view, chariot.space) : '–',
        lap: chariot.lap,
        coin: say(chariot.coin ? 'ave-caesar.coin' : 'ave-caesar.paid'),
        n: chariot.points,
        status:
          chariot.status === 'racing'
            ? ''
            : say(`ave-caesar.status.${chariot.status}`, { place: ordinal(chariot.place) }),
      }),
    );
  }
  const hand = held(view);
  return hand === null ? lines : [...lines, hand];
}

/** Drawing back to three cards is not worth a line. */
export const isIdle = (note: Note): boolean => note.id === 'ave-caesar.why.draws';

/** Returns the note that a chariot drives without the name of its space, which the board shows. */
export const glanceNote = (note: Note): Note =>
  note.id === 'ave-caesar.why.drives' ? { ...note, id: 'log.drives' } : note;

export const section = (section: Record<string, unknown>): string =>
  say('log.course', {
    race: section.race,
    course: courseName(String(section.course)),
    direction: arrow(section.direction),
  });

/** Returns the label of a course with its direction. */
export function choice(option: string, choice: string): string | null {
  if (option !== 'courses') return null;
  const [name, direction] = choice.split(' ');
  return `${courseName(name)} ${arrow(direction)}`;
}

/** Returns each chariot's steps to go; null where it has left the course unfinished or can never finish. */
export const progress = (view: AveView): (number | null)[] =>
  view.chariots.map((chariot) => (chariot.status === 'finished' ? 0 : chariot.to_go));
