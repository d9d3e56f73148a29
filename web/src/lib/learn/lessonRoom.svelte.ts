// What the parts of a game ask of a table, answered by a lesson: nothing is sent anywhere.
import type { Room } from '../server/room.svelte';
import type { Note } from '../text/words.svelte';
import type { LessonStep } from './course';

class LessonRoom {
  readonly id = 'lesson';
  readonly status = 'open';
  readonly table = null;
  readonly trouble = null;
  readonly hint = null;
  readonly pending = null;
  readonly stops: string[] = [];
  readonly log = [];
  readonly roll = false;
  readonly undo = false;
  readonly number = 0;
  why: Record<string, Note[]> | null = $state.raw(null);
  touched: string | null = $state(null);

  constructor(
    readonly seat: number,
    private readonly play: (text: string) => void,
  ) {}

  get seats(): number[] {
    return [this.seat];
  }

  /** Begins a step: its reasons are known from the start. */
  begin(step: Pick<LessonStep, 'why'>): void {
    this.why = step.why;
    this.touched = null;
  }

  act(text: string): void {
    this.play(text);
  }

  touch(thing: string): void {
    this.touched = thing;
  }

  askWhy(): void {}

  send(): void {}
}

/** Returns a room for a lesson. The parts of the games use no more of a room than it has. */
export function lessonRoom(
  seat: number,
  play: (text: string) => void,
): { room: Room; begin: (step: Pick<LessonStep, 'why'>) => void } {
  const room = new LessonRoom(seat, play);
  return { room: room as unknown as Room, begin: (step) => room.begin(step) };
}
