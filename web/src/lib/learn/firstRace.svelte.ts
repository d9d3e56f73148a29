// A first race: a table on the server, and a sentence whenever something new happens, each once.
import { navigate } from '../app/router.svelte';
import { openTable, type SeatPlan } from '../server/tables';
import type { Event } from '../server/api';
import type { FirstRace, Tip } from './course';
import { heard, holds } from './triggers';

const KEY = 'quadriga.races';
const KEPT = 8; // tables that are remembered

interface Kept {
  game: string;
  said: string[];
}

/** The id under which a finished first race is remembered, beside those of lessons. */
export const RACE = 'race';

function read(): Record<string, Kept> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, Kept>) : {};
  } catch {
    return {};
  }
}

function keep(table: string, kept: Kept): void {
  try {
    const others = Object.entries(read()).filter(([id]) => id !== table);
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others.slice(1 - KEPT), [table, kept]])));
  } catch {
    memory[table] = kept;
  }
}

const memory: Record<string, Kept> = {};

/** Returns what was said at a table so far; null if it is no first race. */
export const raceAt = (table: string): Kept | null => read()[table] ?? memory[table] ?? null;

/** Begins a first race. */
export async function startRace(game: string, race: FirstRace): Promise<void> {
  const seats: SeatPlan[] = Array.from({ length: race.seats }, (_, seat) =>
    seat === race.seat ? { kind: 'me' } : { kind: 'bot', bot: race.bot },
  );
  const table = await openTable({ game, options: race.options, seats, start: true });
  keep(table, { game, said: [] });
  navigate(`/t/${table}`);
}

/** Says the sentences of one first race, at most one for each position. */
export class Tutor {
  said: Tip[] = $state.raw([]);
  first = $state(0); // of the sentences since the learner's last move
  private seen = 0; // the number of the last event
  private hasMoved = false; // the learner, since the last sentence

  constructor(
    private readonly table: string,
    private readonly game: string,
    private readonly race: FirstRace,
  ) {
    this.said = (raceAt(table)?.said ?? []).flatMap((id) => race.tips.filter((tip) => tip.id === id));
    this.first = Math.max(0, this.said.length - 1);
  }

  follow(log: Event[], view: unknown, legal: string[]): void {
    const fresh = log.filter((event) => event.number > this.seen);
    this.seen = log.at(-1)?.number ?? this.seen;
    this.hasMoved ||= fresh.some((event) => event.kind === 'play' && event.seat === this.race.seat);
    const left = this.race.tips.filter((tip) => !this.said.includes(tip));
    const about = (event: Event): Tip | undefined =>
      left.find((tip) => heard(tip.on, this.game, event, this.race.seat));
    const found =
      fresh.map(about).find((tip) => tip !== undefined) ?? left.find((tip) => holds(tip.on, view, legal));
    if (!found) return;
    if (this.hasMoved) [this.first, this.hasMoved] = [this.said.length, false];
    this.said = [...this.said, found];
    keep(this.table, { game: this.game, said: this.said.map((tip) => tip.id) });
  }
}
