// The lessons of a game: built with the page, every legal action with its effect and its answer, so that
// nothing is asked of a server.
import type { Action, Note, Texts } from '../server/protocol';
import type { Geometry, View } from '../server/views';
import { hasOwnName } from '../text/labels';
import { say, sayNote } from '../text/words.svelte';

export interface Reply {
  view: View;
  goal: boolean;
  answer: Texts;
}

export interface LessonStep {
  say: Texts;
  view: View;
  legal: Action[];
  why: Record<string, Note[]>; // why cards or pieces cannot be played
  replies: Record<string, Reply>; // by action
}

export interface Lesson {
  id: string;
  title: Texts;
  board: number;
  steps: LessonStep[];
}

/** What must be so for a sentence to be said: see `quadriga.learn.first_race`. */
export interface Trigger {
  note: string;
  by: '' | 'you' | 'other';
  legal: string;
  view: Record<string, unknown>;
}

export interface Tip {
  id: string;
  on: Trigger;
  text: Texts;
}

export interface FirstRace {
  seats: number;
  seat: number; // the learner's
  bot: string;
  options: Record<string, unknown>;
  tips: Tip[];
}

export interface Course {
  game: string;
  seat: number; // the learner's
  called: { id: string; with: Record<string, unknown> }[];
  boards: Geometry[];
  lessons: Lesson[];
  race: FirstRace | null;
}

const files = import.meta.glob<{ default: Course }>('../../lessons/*.json');
const fileOf = (game: string): string => `../../lessons/${game}.json`;

export const hasCourse = (game: string): boolean => fileOf(game) in files;

export async function courseOf(game: string): Promise<Course | null> {
  const load = files[fileOf(game)];
  return load ? (await load()).default : null;
}

const RIVALS = ['Scorpus', 'Diocles', 'Fuscus', 'Crescens', 'Porphyrius'];

/** Returns the names of the seats: those of the game, or the reader and some charioteers. */
export const namesIn = ({ called, seat: own }: Pick<Course, 'called' | 'seat'>): string[] =>
  called.map((name, seat) => {
    if (hasOwnName(name)) return sayNote(name);
    return seat === own ? say('learn.you') : RIVALS[(seat - (seat > own ? 1 : 0)) % RIVALS.length];
  });
