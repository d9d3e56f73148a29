// What the parts of a game ask of a table, answered by a lesson: nothing is sent anywhere.
import type { PlayRoom } from '../server/playRoom';
import type { Note } from '../text/words.svelte';
import type { LessonStep } from './course';

export class LessonRoom implements PlayRoom {
  readonly table = null;
  readonly number = 0;
  readonly log = [];
  readonly skip = null;
  readonly asks = null;
  readonly react = false;
  readonly deal = false;
  readonly answerMs = null;
  readonly answerAt = 0;
  readonly isHeld = false;
  readonly coach = null;
  readonly orders = [];
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
