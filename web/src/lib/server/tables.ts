// Creating tables.
import { navigate } from '../app/router.svelte';
import { settings } from '../app/settings.svelte';
import { call, keepToken, type Game, type Table } from './api';
import { hasMessage, say } from '../text/words.svelte';

export type SeatPlan = { kind: 'me'; name?: string } | { kind: 'open' } | { kind: 'bot'; bot: string };

export interface Plan {
  game: string;
  options: Record<string, unknown>;
  seats: SeatPlan[];
  public?: boolean;
  fill?: number | null; // seconds until bots take the free seats of an open table
  rolls?: 'auto' | 'hand';
  clock?: { kind: string; seconds: number; increment?: number } | null;
  days?: { days: number; late: 'bot' | 'lose' } | null;
  pace?: number;
  beat?: number | null;
  undo?: boolean;
  word?: string;
  league?: string | null; // that the game belongs to
  start: boolean;
}

/** The levels of bots by strength; the other bots are for experts and have no level. */
const LEVELS = ['beginner', 'easy', 'normal', 'hard', 'expert', 'master'];

/** Returns the levels that a game has, or all its bots where it has none. */
export const levelsOf = (game: Game): string[] => {
  const found = LEVELS.filter((level) => game.bots.includes(level));
  return found.length ? found : game.bots;
};

/** Returns the name of a bot for people; one with a temper is written `normal:thrifty`. */
export const botName = (bot: string): string => {
  const [level, temper] = bot.split(':');
  if (temper && hasMessage(`temper.${temper}`)) return `${botName(level)}, ${say(`temper.${temper}`)}`;
  return hasMessage(`bot.${bot}`) ? say(`bot.${bot}`) : bot;
};

/** Returns the temper of a bot in words; empty if it has none. */
export const temperOf = (bot: string): string => {
  const temper = bot.split(':')[1];
  return temper && hasMessage(`temper.${temper}`) ? say(`temper.${temper}`) : '';
};

/** Returns a bot with a temper, if it is a level of the game. */
export const withTemper = (game: Game, bot: string, temper: string | undefined): string =>
  temper && levelsOf(game).includes(bot) ? `${bot}:${temper}` : bot;

/** Returns the temper that the bot in a seat has unless another is chosen: all tempers in turn. */
export const usualTemper = (game: Game, seat: number): string =>
  game.tempers.length ? game.tempers[(seat + game.tempers.length - 1) % game.tempers.length] : '';

/** Returns all bots of a game, the levels first. */
export const botsOf = (game: Game): string[] => [...new Set([...levelsOf(game), ...game.bots])];

/** Returns the bot of the level that was chosen last. */
export const chosenBot = (game: Game): string =>
  levelsOf(game).includes(settings.level) ? settings.level : levelsOf(game)[0];

export const playerName = (): string => settings.name.trim() || say('guest');

export async function createTable(plan: Plan): Promise<void> {
  navigate(`/t/${await openTable(plan)}`);
}

/** Creates a table without going there, and returns its id. */
export async function openTable(plan: Plan): Promise<string> {
  const answer = await call<{ table: Table; token: string | null }>('/tables', {
    public: false,
    rolls: 'auto',
    clock: null,
    dice: { kind: 'fair' },
    word: '',
    name: playerName(),
    ...plan,
  });
  keepToken(answer.table.id, answer.token);
  return answer.table.id;
}

export const createAgainstBots = (game: Game): Promise<void> =>
  createTable({
    game: game.id,
    options: {},
    seats: [
      { kind: 'me' },
      ...Array.from({ length: game.usual - 1 }, (_, i) => ({
        kind: 'bot' as const,
        bot: withTemper(game, chosenBot(game), usualTemper(game, i + 1)),
      })),
    ],
    start: true,
  });
