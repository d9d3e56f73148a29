// The names of chariots: a player's only one, or the first or the second of two.
import { say } from '../../lib/text/words.svelte';

/** The seat of each chariot, by the chariot's number. */
export type Owners = number[];

export const ownersOf = (view: { chariots: { seat: number }[] }): Owners =>
  view.chariots.map((chariot) => chariot.seat);

/** Returns 0 for a player's only chariot, 1 and 2 for the first and second of two. */
export function which(number: number, owners: Owners): 0 | 1 | 2 {
  const seat = owners[number];
  if (owners.filter((owner) => owner === seat).length < 2) return 0;
  return owners.indexOf(seat) === number ? 1 : 2;
}

/** Returns the name of a chariot; the reader's own is "your chariot". */
export function chariotName(number: number, owners: Owners, names: string[], reader = -1): string {
  const seat = owners[number];
  const place = which(number, owners);
  if (seat === reader)
    return say(
      ['ben-hvrt.chariot.your', 'ben-hvrt.chariot.your-first', 'ben-hvrt.chariot.your-second'][place],
    );
  return say(['ben-hvrt.chariot.of', 'ben-hvrt.chariot.first', 'ben-hvrt.chariot.second'][place], {
    seat: names[seat] ?? seat + 1,
  });
}

/** Returns a lap as it is counted on the board: I from the grid on. */
export const lapName = (lap: number): string => ['I', 'II', 'III', 'IV', 'V', 'VI'][Math.max(lap, 1) - 1];
