// Creating tables.
import { navigate } from '../app/router.svelte';
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

export const strongestBot = (game: Game): string => game.bots[game.bots.length - 1];

export const playerName = (): string => settings.name.trim() || say('guest');

export async function createTable(plan: Plan): Promise<void> {
  const answer = await call<{ table: Table; token: string }>('/tables', {
    public: false,
    rolls: 'auto',
    clock: null,
    dice: { kind: 'fair' },
    word: '',
    name: playerName(),
    ...plan,
  });
  keepToken(answer.table.id, answer.token);
  navigate(`/t/${answer.table.id}`);
}

export const createAgainstBots = (game: Game): Promise<void> =>
  createTable({
    game: game.id,
    options: {},
    seats: [{ kind: 'me' }, ...Array.from({ length: game.usual - 1 }, () => ({ kind: 'bot' as const, bot: strongestBot(game) }))],
    start: true,
  });
