// Puzzles: built with the page in parts, each move with the position after it and its exact value.
import type { Action } from '../server/protocol';
import type { Geometry, View } from '../server/views';
import { sayNote } from '../text/words.svelte';

export interface Puzzle {
  id: string;
  grade: number; // 1 easy, 2 medium, 3 hard
  view: View;
  legal: Action[];
  after: Record<string, View>;
  values: Record<string, number>; // the chance to win after each move
  obvious: string; // what rules of thumb play
}

export interface PuzzleBoard {
  part: number; // puzzles in a file
  called: { id: string; with: Record<string, unknown> }[];
  board: Geometry;
  grades: number[]; // of each puzzle, the first first
  stride: number; // from one day's puzzle to the next
}

const boards = import.meta.glob<{ default: PuzzleBoard }>('../../lessons/puzzles.json');
const parts = import.meta.glob<{ default: Puzzle[] }>('../../lessons/puzzles/*.json');

export async function puzzleBoard(): Promise<PuzzleBoard | null> {
  const load = boards['../../lessons/puzzles.json'];
  return load ? (await load()).default : null;
}

export async function puzzleAt(board: PuzzleBoard, index: number): Promise<Puzzle | null> {
  const load = parts[`../../lessons/puzzles/${Math.floor(index / board.part)}.json`];
  return load ? ((await load()).default[index % board.part] ?? null) : null;
}

export const idOf = (index: number): string => String(index + 1).padStart(3, '0');

export const indexOf = (board: PuzzleBoard, id: string): number => (/^\d{3}$/.test(id) && Number(id) >= 1 && Number(id) <= board.grades.length ? Number(id) - 1 : -1);

/** Returns the day of the reader's calendar, counted from 1970. */
export const today = (now = new Date()): number => Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / 86_400_000);

export const ofTheDay = (board: PuzzleBoard, day: number): number => (day * board.stride) % board.grades.length;

export const namesOn = (board: PuzzleBoard): string[] => board.called.map(sayNote);

export const bestOf = (puzzle: Puzzle): string => Object.entries(puzzle.values).reduce((best, other) => (other[1] > best[1] ? other : best))[0];
