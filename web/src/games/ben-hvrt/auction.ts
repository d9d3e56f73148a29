// An auction as the log tells it: the bids on the open lot, and the last sale.
import type { Event } from '../../lib/server/api';

export interface Bid {
  seat: number;
  amount: number;
  number: number; // of the event
}

/** Returns the bids on the lot that lies open: in each round everybody who stays in pays one Ducat more. */
export function bidsOf(log: Event[]): Bid[] {
  const turns = log.map((event) => event.kind === 'chance' && !!event.text?.startsWith('turn '));
  const made = log
    .slice(turns.lastIndexOf(true) + 1)
    .filter((event) => event.kind === 'play' && event.text === 'bid');
  return made.map((event, i) => ({
    seat: event.seat ?? -1,
    amount: made.slice(0, i + 1).filter((other) => other.seat === event.seat).length,
    number: event.number,
  }));
}

/** Returns to whom the last lot went; null if none was sold. */
export function lastSale(log: Event[]): { number: number; card: string; seat: number } | null {
  for (const event of log.slice(-40).reverse())
    for (const note of event.notes ?? [])
      if (note.id === 'ben-hvrt.why.sold')
        return { number: event.number, card: nameOf(note.with?.card), seat: Number(note.with?.seat) - 1 };
  return null;
}

/** A card in a note has its name in both languages; the English one is its notation. */
const nameOf = (card: unknown): string =>
  typeof card === 'object' && card !== null && 'en' in card ? String(card.en) : String(card);
