// Charts of a finished game: each seat's progress over time, and the luck of the dice.
import { moduleOf } from '../../games/registry';
import { call, type Step } from '../server/api';
import type { Geometry } from '../server/views';
import type { Source } from './stepCache';

/** Some positions of a whole game, and for each seat how often chance gave which outcome. */
export interface Summary {
  points: Point[];
  outcomes: Record<string, number>[];
}

export type Point = Pick<Step, 'view' | 'scores'>;

export const summary = (table: string): Promise<Summary> =>
  call(`/tables/${encodeURIComponent(table)}/chart`);
export const tableSteps =
  (table: string): Source =>
  (seat, first, count) =>
    call(`/tables/${encodeURIComponent(table)}/replay?seat=${seat}&first=${first}&count=${count}`);

/**
 * Returns each seat's progress over time. An unknown value repeats the one before; the first ones take the
 * first known.
 */
export function progress(points: Point[], seats: number, game: string, geometry: Geometry): number[][] {
  const module = moduleOf(game);
  const rows = points.map((point) => module.progress(point.view, geometry, point.scores));
  return Array.from({ length: seats }, (_, seat) => {
    let last = rows.find((row) => row[seat] !== null)?.[seat] ?? 0;
    return rows.map((row) => (last = row[seat] ?? last));
  });
}

/** Returns each seat's points over time. */
export const scores = (points: Point[], seats: number): number[][] =>
  Array.from({ length: seats }, (_, seat) => points.map((point) => point.scores[seat] ?? 0));

export interface Luck {
  rolls: number;
  mean: number;
}

/** Returns how many rolls each seat had, and their mean. */
export function luck(outcomes: Record<string, number>[], game: string): Luck[] {
  const module = moduleOf(game);
  return outcomes.map((counts) => {
    let rolls = 0;
    let sum = 0;
    for (const [text, times] of Object.entries(counts)) {
      const number = module.rolled(text);
      if (number === null) continue;
      rolls += times;
      sum += times * number;
    }
    return { rolls, mean: rolls ? sum / rolls : 0 };
  });
}
