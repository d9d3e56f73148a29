// A finished game looked at as a whole: how everybody stood over time, and how the dice fell.
import type { View } from './views';
import { call, type Event, type Step } from './wire';

export interface Story {
  steps: Step[];
  total: number;
}

const PAGE = 200;
const MOST = 2400;

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

/** How far each seat is: markers walked, points, or Ducats. */
function standing(view: View): number[] {
  if (view.game === 'ben-hvrt') return view.players.map((player) => player.purse);
  if (view.game === 'ur')
    return [0, 1].map((seat) => view.off[seat] * 24 + view.board.filter((marker) => marker.seat === seat).reduce((sum, marker) => sum + marker.step, 0));
  return view.chariots.map((chariot) => (chariot.status === 'finished' ? 0 : (chariot.to_go ?? 0)));
}

export function courses(steps: Step[], seats: number): number[][] {
  const stride = Math.max(1, Math.floor(steps.length / 150));
  const chosen = steps.filter((_, i) => i % stride === 0 || i === steps.length - 1);
  return Array.from({ length: seats }, (_, seat) => chosen.map((step) => standing(step.view)[seat] ?? 0).map((value) => (value > 9000 ? 0 : value)));
}

export interface Luck {
  rolls: number;
  mean: number;
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
