// Time that is left for a move in a game by days, in words.
import { say } from './words.svelte';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns for example "2 days 3 hours", rounded down to the smaller unit; at least a minute. */
export function timeLeft(ms: number): string {
  const days = Math.floor(ms / DAY);
  const hours = Math.floor((ms % DAY) / HOUR);
  const minutes = Math.max(1, Math.floor((ms % HOUR) / MINUTE));
  if (days) return pair(say('days.days', { n: days }), hours ? say('days.hours', { n: hours }) : '');
  if (hours) {
    const rest = Math.floor((ms % HOUR) / MINUTE);
    return pair(say('days.hours', { n: hours }), rest ? say('days.minutes', { n: rest }) : '');
  }
  return say('days.minutes', { n: minutes });
}

const pair = (first: string, second: string): string => (second ? say('days.two', { first, second }) : first);
