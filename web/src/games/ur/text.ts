// Moves, positions and results of Ur in words.
import type { UrGeometry, UrView } from './view';
import { joinList, say } from '../../lib/text/words.svelte';

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

/** Returns a move by the names of its spaces. */
export function brief(text: string, view: UrView, geometry: UrGeometry): string | null {
  const moved = movedSteps(text);
  if (!moved) return null;
  const path = geometry.paths[view.turn ?? 0];
  const [from, to] = moved;
  return `${from ? path[from - 1] : say('ur.home')} → ${to > path.length ? say('ur.off') : path[to - 1]}`;
}

export const headline = (view: UrView): string => (view.phase === 'jump' || view.roll === 0 ? say('turn.ur.jump') : say('turn.ur.move', { n: view.roll ?? '' }));

export function position(view: UrView, _geometry: UrGeometry, names: string[]): string[] {
  const lines = [0, 1].map((seat) => {
    const standing = view.board
      .filter((marker) => marker.seat === seat)
      .map((marker) => say(marker.dotted ? 'text.dotted' : 'text.blank', { space: marker.space, step: marker.step }));
    return say('text.ur', { name: names[seat], home: view.home[seat], off: view.off[seat], board: standing.length ? joinList(standing) : say('text.nothing') });
  });
  if (view.roll !== null && view.turn !== null) lines.push(say('text.roll', { name: names[view.turn], n: view.roll }));
  return lines;
}

/** Returns the steps that each seat's markers have walked. */
export const progress = (view: UrView, geometry: UrGeometry): number[] =>
  [0, 1].map((seat) => view.off[seat] * geometry.path_length + view.board.filter((marker) => marker.seat === seat).reduce((sum, marker) => sum + marker.step, 0));
