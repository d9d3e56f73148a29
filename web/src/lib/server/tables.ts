// Creating tables.
import { go } from '../app/router.svelte';
import { settings } from '../app/settings.svelte';
import { call, keepToken, type Game, type Table } from './api';
import { say } from '../text/words.svelte';

export type SeatPlan = { kind: 'me'; name?: string } | { kind: 'open' } | { kind: 'bot'; bot: string };

export interface Plan {
  game: string;
  options: Record<string, unknown>;
  seats: SeatPlan[];
  public?: boolean;
  rolls?: 'auto' | 'hand';
  clock?: { kind: string; seconds: number; increment?: number } | null;
  pace?: number;
  word?: string;
  start: boolean;
}

export const strongest = (game: Game): string => game.bots[game.bots.length - 1];

export const ownName = (): string => settings.name.trim() || say('guest');

export async function create(plan: Plan): Promise<void> {
  const answer = await call<{ table: Table; token: string }>('/tables', {
    public: false,
    rolls: 'auto',
    clock: null,
    dice: { kind: 'fair' },
    word: '',
    name: ownName(),
    ...plan,
  });
  keepToken(answer.table.id, answer.token);
  go(`/t/${answer.table.id}`);
}

export const againstBots = (game: Game): Promise<void> =>
  create({
    game: game.id,
    options: {},
    seats: [{ kind: 'me' }, ...Array.from({ length: game.usual - 1 }, () => ({ kind: 'bot' as const, bot: strongest(game) }))],
    start: true,
  });
