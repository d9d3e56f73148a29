// Puzzles: built with the page in parts, each move with the position after it and its value.
import { gameIds } from '../../games/registry';
import type { Action, Note } from '../server/protocol';
import type { Geometry, View } from '../server/views';
import { namesIn } from './course';

export interface Puzzle {
  id: string;
  grade: number; // 1 easy, 2 medium, 3 hard
  seat: number; // that is to move
  seats: number;
  board: number; // among those of the game
  view: View;
  legal: Action[];
  why: Record<string, Note[]>; // why cards or pieces cannot be played
  after: Record<string, View>;
  values: Record<string, number>; // by move: the chance to win, or with more than two seats the share of the result
  obvious: string; // what rules of thumb play
  errors?: Record<string, number>; // half-widths of 95 % intervals; exact values have none
  lead_error?: number; // of the lead of the best move over the next one
  playouts?: number; // behind each value
}

export interface PuzzleBoard {
  part: number; // puzzles in a file
  called: { id: string; with: Record<string, unknown> }[];
  boards: Geometry[];
  grades: number[]; // of each puzzle, the first first
  stride: number; // from one day's puzzle to the next
}

const boards = import.meta.glob<{ default: PuzzleBoard }>('../../lessons/puzzles/*.json');
const parts = import.meta.glob<{ default: Puzzle[] }>('../../lessons/puzzles/*/*.json');

/** Returns the games that have puzzles, in the order of the registry. Without a name, the first one is meant. */
export const puzzleGames = (): string[] =>
  gameIds().filter((game) => `../../lessons/puzzles/${game}.json` in boards);

export async function puzzleBoard(game: string): Promise<PuzzleBoard | null> {
  const load = boards[`../../lessons/puzzles/${game}.json`];
  return load ? (await load()).default : null;
}

export async function puzzleAt(game: string, board: PuzzleBoard, index: number): Promise<Puzzle | null> {
  const load = parts[`../../lessons/puzzles/${game}/${Math.floor(index / board.part)}.json`];
  return load ? ((await load()).default[index % board.part] ?? null) : null;
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
