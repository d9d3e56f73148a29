// A game's steps in windows: those around where one looks are fetched, and those far from it forgotten.
import type { Event, Step } from '../server/api';

export interface Stretch {
  total: number;
  first: number;
  steps: Step[];
}

/** Where the steps come from: as a seat sees them, so many from one on. */
export type Source = (seat: number, first: number, count: number) => Promise<Stretch>;

export const PAGE = 100; // steps that are fetched at once,
const KEPT = 24; // ... and how many such pages are remembered

export class StepCache {
  total = 0; // steps, the beginning included; 0 until something has come
  #pages = new Map<number, Step[]>();
  #wanted = 0;
  #going = false;
  #take = 0; // what was asked for before the viewpoint changed is not wanted any more

  constructor(
    readonly source: Source,
    public seat: number,
    readonly changed: () => void,
    readonly failed: (fault: unknown) => void,
  ) {}

  /** A step, if it is here. */
  at(number: number): Step | null {
    return this.#pages.get(Math.floor(number / PAGE))?.[number % PAGE] ?? null;
  }

  /** What has happened up to a step, as far back as it is here and wanted. */
  upTo(number: number, most: number): Event[] {
    const found: Event[] = [];
    for (let i = number; i > 0 && found.length < most; i--) {
      const event = this.at(i)?.event;
      if (!event) break;
      found.push(event);
    }
    return found.reverse();
  }

  /** Somebody looks at this step: it is fetched first, and then what comes after and before it. */
  look(number: number): void {
    this.#wanted = Math.floor(Math.max(0, number) / PAGE);
    void this.#fetch();
  }

  /** The same steps from another chair. */
  from(seat: number): void {
    this.seat = seat;
    this.#take++;
    this.#pages.clear();
    void this.#fetch();
  }

  async #fetch(): Promise<void> {
    if (this.#going) return;
    this.#going = true;
    try {
      for (let page = this.#next(); page !== null; page = this.#next()) {
        const take = this.#take;
        const answer = await this.source(this.seat, page * PAGE, PAGE);
        if (take !== this.#take) continue;
        if (this.total && !answer.steps.length) break;
        this.total = answer.total;
        if (answer.steps.length) this.#pages.set(page, answer.steps);
        this.#forget();
        this.changed();
      }
    } catch (fault) {
      this.failed(fault);
    } finally {
      this.#going = false;
    }
  }

  /** The page that is missing most; none where all is here that is near. */
  #next(): number | null {
    if (!this.total) return this.#wanted;
    const last = Math.floor((this.total - 1) / PAGE);
    const here = Math.min(this.#wanted, last);
    return [here, here + 1, here - 1].find((page) => page >= 0 && page <= last && !this.#pages.has(page)) ?? null;
  }

  #forget(): void {
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - this.#wanted) - Math.abs(a - this.#wanted));
    for (const page of far.slice(0, Math.max(0, far.length - KEPT))) this.#pages.delete(page);
  }
}
