// Offers that the reader may know, with their answers, as the log has them.
import type { Event } from '../../lib/server/api';
import type { Note } from '../../lib/text/words.svelte';

export interface Answered {
  number: number;
  text: string; // in notation
  answer: 'accept' | 'decline';
  says?: Note; // of a bot: why not
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
      const says = event.notes?.find((note) => note.id.startsWith('ben-hvrt.says.'));
      found.push({ number: open.number, text: open.text!, answer: event.text, says });
      open = null;
    }
  }
  return found;
}
