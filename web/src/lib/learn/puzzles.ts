// Puzzles: the server sends them in parts, each move with the position after it and its value.
import { gameIds } from '../../games/registry';
import { callOnce, games } from '../server/api';
import type * as protocol from '../server/protocol';
import type { Geometry, View } from '../server/views';
import { namesIn } from './course';

// The protocol does not know what the view and the board of a game contain.
export type Puzzle = Omit<protocol.Puzzle, 'view' | 'after'> & { view: View; after: Record<string, View> };
export type PuzzleBoard = Omit<protocol.Puzzles, 'boards'> & { boards: Geometry[] };

/** The game that an address without a game means: once it was the only one with puzzles. */
export const firstGame = (): string => gameIds()[0];

const addressOf = (game: string): string => `/games/${encodeURIComponent(game)}/puzzles`;

/** Returns the games that have puzzles. */
export const puzzleGames = async (): Promise<string[]> =>
  (await games()).filter((game) => game.puzzles).map((game) => game.id);

export async function puzzleBoard(game: string): Promise<PuzzleBoard | null> {
  return (await puzzleGames()).includes(game) ? callOnce(addressOf(game)) : null;
}

export async function puzzleAt(game: string, board: PuzzleBoard, index: number): Promise<Puzzle | null> {
  const part = Math.floor(index / board.part);
  const found = await callOnce<{ puzzles: Puzzle[] }>(`${addressOf(game)}/${part}`);
  return found.puzzles[index % board.part] ?? null;
}

export const idOf = (index: number): string => String(index + 1).padStart(3, '0');

export const indexOf = (board: PuzzleBoard, id: string): number =>
  /^\d{3}$/.test(id) && Number(id) >= 1 && Number(id) <= board.grades.length ? Number(id) - 1 : -1;

/** Returns the day of the reader's calendar, counted from 1970. */
export const today = (now = new Date()): number =>
  Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);

export const ofTheDay = (board: PuzzleBoard, day: number): number =>
  (day * board.stride) % board.grades.length;

export const namesOn = (board: PuzzleBoard, puzzle: Puzzle): string[] =>
  namesIn({ called: board.called.slice(0, puzzle.seats), seat: puzzle.seat });

export const bestOf = (puzzle: Puzzle): string =>
  Object.entries(puzzle.values).reduce((best, other) => (other[1] > best[1] ? other : best))[0];

/** Returns how much better the best move is than the next one. */
export function leadOf(puzzle: Puzzle): number {
  const [first, second] = Object.values(puzzle.values).sort((one, other) => other - one);
  return first - second;
}
