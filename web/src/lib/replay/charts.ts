// A finished game looked at as a whole: how everybody stood over time, and how the dice fell.
import type { View } from '../server/views';
import type { Source } from './stepCache';
import { call, type Event, type Step } from '../server/api';

/** Some positions of a whole game, and how often chance did what to whom. */
export interface Story {
  points: Point[];
  outcomes: Record<string, number>[];
}

export type Point = Pick<Step, 'view' | 'scores'>;

export const story = (table: string): Promise<Story> => call(`/tables/${encodeURIComponent(table)}/chart`);
export const steps =
  (table: string): Source =>
  (seat, first, count) =>
    call(`/tables/${encodeURIComponent(table)}/replay?seat=${seat}&first=${first}&count=${count}`);

/** The last events of a finished game, for whoever comes when it is over. */
export async function ending(table: string, seat: number, most = 80): Promise<Event[]> {
  const path = `/tables/${encodeURIComponent(table)}/replay?seat=${seat}`;
  const { total } = await call<{ total: number }>(`${path}&first=0&count=1`);
  const answer = await call<{ steps: Step[] }>(`${path}&first=${Math.max(0, total - most)}&count=${most}`);
  return answer.steps.flatMap(({ event }, i) => (event ? [{ ...event, number: i + 1 }] : []));
}

// The steps from home to off under each rule set.
const WAY: Record<string, number> = { ben: 24, finkel: 15, masters: 17, blitz: 17 };

/** How far each seat is: steps walked, steps to go, or Ducats; null where a chariot has left the track unfinished. */
function standing(view: View): (number | null)[] {
  if (view.game === 'ben-hvrt') return view.players.map((player) => player.purse);
  if (view.game === 'ur')
    return [0, 1].map((seat) => view.off[seat] * WAY[view.rules] + view.board.filter((marker) => marker.seat === seat).reduce((sum, marker) => sum + marker.step, 0));
  return view.chariots.map((chariot) => (chariot.status === 'finished' ? 0 : chariot.to_go !== null && chariot.to_go < 9000 ? chariot.to_go : null));
}

export function courses(points: Point[], seats: number): number[][] {
  const rows = points.map((point) => standing(point.view));
  return Array.from({ length: seats }, (_, seat) => {
    let last = rows.find((row) => row[seat] !== null)?.[seat] ?? 0; // before the line-up: as after it
    return rows.map((row) => (last = row[seat] ?? last));
  });
}

/** Points over a tournament of several races; nothing where there is but one. */
export function points(given: Point[], seats: number): number[][] {
  const last = given[given.length - 1]?.view;
  if (last?.game !== 'ave-caesar' || last.races < 2) return [];
  return Array.from({ length: seats }, (_, seat) => given.map((point) => point.scores[seat] ?? 0));
}

export interface Luck {
  rolls: number;
  mean: number;
}

/** What a roll is on average: of Ben Hvrt's die, or of the dice of a rule set of Ur. */
export function expected(view: View): number {
  if (view.game === 'ben-hvrt') return 3.5;
  return view.game === 'ur' ? { ben: 1.5, finkel: 2, masters: 2, blitz: 2 }[view.rules] ?? 0 : 0;
}

export function luck(outcomes: Record<string, number>[]): Luck[] {
  return outcomes.map((counts) => {
    let rolls = 0;
    let sum = 0;
    for (const [text, times] of Object.entries(counts)) {
      const number = /^(?:roll|die) (\d+)$/.exec(text);
      if (!number) continue;
      rolls += times;
      sum += times * Number(number[1]);
    }
    return { rolls, mean: rolls ? sum / rolls : 0 };
  });
}
