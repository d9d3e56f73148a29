// A finished game looked at as a whole: how everybody stood over time, and how the dice fell.
import type { View } from './views';
import { call, type Event, type Step } from './wire';

export interface Story {
  steps: Step[];
  total: number;
}

const PAGE = 200;
const MOST = 8000;

export async function story(table: string, seat: number, tell?: (done: number, total: number) => void): Promise<Story> {
  const steps: Step[] = [];
  let total = 1;
  while (steps.length < Math.min(total, MOST)) {
    const answer = await call<{ total: number; first: number; steps: Step[] }>(
      `/tables/${encodeURIComponent(table)}/replay?seat=${seat}&first=${steps.length}&count=${PAGE}`,
    );
    if (!answer.steps.length) break;
    steps.push(...answer.steps);
    total = answer.total;
    tell?.(steps.length, total);
  }
  return { steps, total };
}

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

const sampled = (steps: Step[]): Step[] => {
  const stride = Math.max(1, Math.floor(steps.length / 150));
  return steps.filter((_, i) => i % stride === 0 || i === steps.length - 1);
};

export function courses(steps: Step[], seats: number): number[][] {
  const rows = sampled(steps).map((step) => standing(step.view));
  return Array.from({ length: seats }, (_, seat) => {
    let last = rows.find((row) => row[seat] !== null)?.[seat] ?? 0; // before the line-up: as after it
    return rows.map((row) => (last = row[seat] ?? last));
  });
}

/** Points over a tournament of several races; nothing where there is but one. */
export function points(steps: Step[], seats: number): number[][] {
  const last = steps[steps.length - 1]?.view;
  if (last?.game !== 'ave-caesar' || last.races < 2) return [];
  return Array.from({ length: seats }, (_, seat) => sampled(steps).map((step) => step.scores[seat] ?? 0));
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

export function luck(steps: Step[], seats: number): Luck[] {
  const found = Array.from({ length: seats }, () => ({ rolls: 0, sum: 0 }));
  for (const { event } of steps) {
    const number = event?.kind === 'chance' && event.seat !== null && event.text ? /^(?:roll|die) (\d+)$/.exec(event.text) : null;
    if (!number || event?.seat == null || !found[event.seat]) continue;
    found[event.seat].rolls++;
    found[event.seat].sum += Number(number[1]);
  }
  return found.map(({ rolls, sum }) => ({ rolls, mean: rolls ? sum / rolls : 0 }));
}
