// Why a card or piece cannot be played now, in words.
import type { PlayRoom } from '../server/playRoom';
import { capitalise, noteText } from './labels';
import { joinSentences, say } from './words.svelte';

/** Returns the reasons that the server has given; where it has given none, that the thing cannot be played. */
export function reasonsFor(room: Pick<PlayRoom, 'why'>, thing: string, names: string[]): string {
  const notes = room.why?.[thing] ?? [];
  return notes.length
    ? `${capitalise(joinSentences(notes.map((note) => noteText(note, names))))}.`
    : say('why.none');
}
