// Offers that the reader may know, with their answers, as the log has them.
import type { Event } from '../../lib/server/api';

export interface Answered {
  number: number;
  text: string; // in notation
  answer: 'accept' | 'decline';
}

/** Returns the answered offers since the race began, the newest last. */
export function answeredOffers(log: Event[]): Answered[] {
  const found: Answered[] = [];
  let open: Event | null = null;
  for (const event of log) {
    if (event.section) found.length = 0;
    if (event.kind !== 'play') continue;
    if (event.text?.startsWith('offer ')) open = event;
    else if (open && (event.text === 'accept' || event.text === 'decline')) {
      found.push({ number: open.number, text: open.text!, answer: event.text });
      open = null;
    }
  }
  return found;
}
