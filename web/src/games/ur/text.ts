// Moves, positions and results of Ur in words.
import type { Event } from '../../lib/server/api';
import type { UrGeometry, UrView } from './view';
import { joinList, say, sayNote } from '../../lib/text/words.svelte';

const MOVE = /^(\d+)-(\d+)$/;

/** Returns the steps that a move goes from and to; null where the text is no move. */
export function movedSteps(text: string): [number, number] | null {
  const found = MOVE.exec(text);
  return found ? [Number(found[1]), Number(found[2])] : null;
}

/** Returns what the dice show; null where the text is no roll. */
export const rolled = (text: string): number | null => {
  const found = /^roll (\d+)$/.exec(text);
  return found ? Number(found[1]) : null;
};

/** Returns the name of a step of a seat's path. */
export const placeName = (geometry: UrGeometry, seat: number, step: number): string =>
  sayNote(geometry.places[seat][step - 1]);
const STARTS = ['ur.why.starts-black', 'ur.why.starts-white']; // by seat

/** Returns what the opening decides; then, until the first move, its rolls and who starts by them. */
export function settled(view: UrView, log: Event[], names: string[]): string | null {
  if (view.phase === 'opening' || view.phase === 'jump') return say('ur.opening.how');
  const decided = log.findIndex((event) => event.notes?.some((note) => STARTS.includes(note.id)));
  if (decided < 0 || log.slice(decided + 1).some((event) => event.kind === 'play')) return null;
  const starter = STARTS.findIndex((id) => log[decided].notes?.some((note) => note.id === id));
  const rolls = [0, 1].flatMap((seat) => {
    const last = log
      .slice(0, decided + 1)
      .filter((event) => event.seat === seat && rolled(event.text ?? '') !== null)
      .at(-1);
    return last ? [say('ur.opening.rolled', { name: names[seat], n: rolled(last.text ?? '') })] : [];
  });
  return say('ur.opening', { rolls: joinList(rolls), name: names[starter] });
}

/** Returns a move by the names of its spaces. */
export function brief(text: string, view: UrView, geometry: UrGeometry): string | null {
  const moved = movedSteps(text);
  if (!moved) return null;
  const seat = view.turn ?? 0;
  const [from, to] = moved;
  return `${from || say('ur.home')} → ${to >= geometry.path_length ? say('ur.off') : placeName(geometry, seat, to)}`;
}

export const headline = (view: UrView): string =>
  view.phase === 'jump'
    ? say('turn.ur.opening.jump')
    : view.roll === 0
      ? say('turn.ur.jump')
      : say('turn.ur.move', { n: view.roll ?? '' });

export function position(view: UrView, geometry: UrGeometry, names: string[]): string[] {
  const lines = [0, 1].map((seat) => {
    const standing = view.board
      .filter((marker) => marker.seat === seat)
      .map((marker) =>
        say(marker.dotted ? 'text.dotted' : 'text.blank', { place: placeName(geometry, seat, marker.step) }),
      );
    return say('text.ur', {
      name: names[seat],
      home: view.home[seat],
      off: view.off[seat],
      board: standing.length ? joinList(standing) : say('text.nothing'),
    });
  });
  if (view.roll !== null && view.turn !== null)
    lines.push(say('text.roll', { name: names[view.turn], n: view.roll }));
  return lines;
}

/** Returns the steps that each seat's markers have walked. */
export const progress = (view: UrView, geometry: UrGeometry): number[] =>
  [0, 1].map(
    (seat) =>
      view.off[seat] * geometry.path_length +
      view.board.filter((marker) => marker.seat === seat).reduce((sum, marker) => sum + marker.step, 0),
  );
