// The steps of a game in pages: those near the step that is shown are fetched, those far from it are dropped.
import type { Event, Step } from '../server/api';

export interface Stretch {
  total: number;
  first: number;
  steps: Step[];
}

/** Fetches `count` steps from `first` on, as a seat sees them. */
export type Source = (seat: number, first: number, count: number) => Promise<Stretch>;

export const PAGE = 100; // steps that are fetched at once
const MAX_PAGES = 24; // pages that are kept

export class StepCache {
  total = 0; // steps, the beginning included; 0 until a page has arrived
  #pages = new Map<number, Step[]>();
  #wanted = 0;
  #isFetching = false;
  #generation = 0; // answers to requests of an earlier generation, for another seat, are dropped

  constructor(
    readonly source: Source,
    public seat: number,
    readonly changed: () => void,
    readonly failed: (fault: unknown) => void,
  ) {}

  /** Returns a step; null until it has been fetched. */
  at(number: number): Step | null {
    return this.#pages.get(Math.floor(number / PAGE))?.[number % PAGE] ?? null;
  }

  /** Returns at most so many events up to a step, as far back as steps have been fetched. */
  eventsUpTo(number: number, most: number): Event[] {
    const found: Event[] = [];
    for (let i = number; i > 0 && found.length < most; i--) {
      const event = this.at(i)?.event;
      if (!event) break;
      found.push(event);
    }
    return found.reverse();
  }

  /** Fetches this step first, and then those after and before it. */
  moveTo(number: number): void {
    this.#wanted = Math.floor(Math.max(0, number) / PAGE);
    void this.#fetch();
  }

  /** Fetches the same steps as another seat saw them. */
  viewFrom(seat: number): void {
    this.seat = seat;
    this.#generation++;
    this.#pages.clear();
    void this.#fetch();
  }

  async #fetch(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      for (let page = this.#next(); page !== null; page = this.#next()) {
        const generation = this.#generation;
        const answer = await this.source(this.seat, page * PAGE, PAGE);
        if (generation !== this.#generation) continue;
        if (this.total && !answer.steps.length) break;
        this.total = answer.total;
        if (answer.steps.length) this.#pages.set(page, answer.steps);
        this.#dropFar();
        this.changed();
      }
    } catch (fault) {
      this.failed(fault);
    } finally {
      this.#isFetching = false;
    }
  }

  /** Returns the page to fetch next; null where everything near has been fetched. */
  #next(): number | null {
    if (!this.total) return this.#wanted;
    const last = Math.floor((this.total - 1) / PAGE);
    const here = Math.min(this.#wanted, last);
    return (
      [here, here + 1, here - 1].find((page) => page >= 0 && page <= last && !this.#pages.has(page)) ?? null
    );
  }

  #dropFar(): void {
    const far = [...this.#pages.keys()].sort(
      (a, b) => Math.abs(b - this.#wanted) - Math.abs(a - this.#wanted),
    );
    for (const page of far.slice(0, Math.max(0, far.length - MAX_PAGES))) this.#pages.delete(page);
  }
}
