// Ben Hvrt's chariots as people call them: by their player, and with two each the first or the second.
import { say } from '../../lib/text/words.svelte';

export interface Field {
  seats: number;
  chariots: number;
}

export const fieldOf = (view: { players: unknown[]; chariots: unknown[] }): Field => ({ seats: view.players.length, chariots: view.chariots.length });

/** 0 for a player's only chariot, 1 and 2 for the first and second of two. */
export const which = (number: number, { seats, chariots }: Field): 0 | 1 | 2 => (chariots <= seats ? 0 : number < seats ? 1 : 2);

/** The name of a chariot; of the reader's own: "your chariot". */
export function chariotName(number: number, field: Field, names: string[], reader = -1): string {
  const seat = number % field.seats;
  const place = which(number, field);
  if (seat === reader) return say(['ben-hvrt.chariot.your', 'ben-hvrt.chariot.your-first', 'ben-hvrt.chariot.your-second'][place]);
  return say(['ben-hvrt.chariot.of', 'ben-hvrt.chariot.first', 'ben-hvrt.chariot.second'][place], { seat: names[seat] ?? seat + 1 });
}

/** A lap as it is counted on the board: I from the grid on. */
export const lapName = (lap: number): string => ['I', 'II', 'III', 'IV', 'V', 'VI'][Math.max(lap, 1) - 1];
