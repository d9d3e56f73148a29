// The lessons of a game: the server sends every legal action with its effect and its answer, and is asked nothing more.
import { callOnce, games } from '../server/api';
import type * as protocol from '../server/protocol';
import type { Geometry, View } from '../server/views';
import { hasOwnName } from '../text/labels';
import { say, sayNote } from '../text/words.svelte';

export type { FirstRace, FirstRaceTip as Tip, Trigger } from '../server/protocol';

// The protocol does not know what the view and the board of a game contain.
export type Reply = Omit<protocol.LessonReply, 'view'> & { view: View };
export type LessonStep = Omit<protocol.LessonStep, 'view' | 'replies'> & {
  view: View;
  replies: Record<string, Reply>;
};
export type Lesson = Omit<protocol.Lesson, 'steps'> & { steps: LessonStep[] };
export type Course = Omit<protocol.Course, 'boards' | 'lessons'> & { boards: Geometry[]; lessons: Lesson[] };

/** Returns the lessons of a game; null if it has none. */
export async function courseOf(game: string): Promise<Course | null> {
  const known = (await games()).some((each) => each.id === game && each.lessons);
  return known ? callOnce(`/games/${encodeURIComponent(game)}/lessons`) : null;
}

const RIVALS = ['Scorpus', 'Diocles', 'Fuscus', 'Crescens', 'Porphyrius'];

/** Returns the names of the seats: those of the game, or the reader and some charioteers. */
export const namesIn = ({ called, seat: own }: Pick<Course, 'called' | 'seat'>): string[] =>
  called.map((name, seat) => {
    if (hasOwnName(name)) return sayNote(name);
    return seat === own ? say('learn.you') : RIVALS[(seat - (seat > own ? 1 : 0)) % RIVALS.length];
  });
