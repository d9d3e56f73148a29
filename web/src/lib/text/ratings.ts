// Ratings in words.
import type { Rating } from '../server/protocol';
import { decimal, say } from './words.svelte';

/** Returns a rating with its uncertainty; that of a level of bots is fixed. */
export const ratingText = (rating: Rating): string =>
  rating.games || !isFixed(rating)
    ? `${decimal(Math.round(rating.mean), 0)} ± ${decimal(Math.round(rating.deviation), 0)}`
    : decimal(Math.round(rating.mean), 0);

/** Returns a rating beside a name: nothing while it is provisional. */
export const shortRating = (rating: Rating | null | undefined): string =>
  rating && !rating.provisional ? points(rating.mean) : '';

/** Returns points without their uncertainty. */
export const points = (mean: number): string => decimal(Math.round(mean), 0);

const isFixed = (rating: Rating): boolean => !rating.provisional && !rating.games;

/** Returns what the size of a pool's tables is called. */
export const sizeText = (seats: number[]): string =>
  seats[0] === seats[1]
    ? say(seats[0] > 12 ? 'ratings.seats.more' : 'ratings.seats.one', { n: seats[0] })
    : say('ratings.seats', { least: seats[0], most: seats[1] });
