// The view and the geometry of Ave Caesar, as the server sends them.
import type { Geometry, Line, Point, Shape, View } from '../../lib/server/views';
import type { Note } from '../../lib/text/words.svelte';

export interface AveChariot {
  seat: number;
  points: number;
  status: 'racing' | 'finished' | 'out' | 'wrecked';
  space: string | null;
  lap: number;
  coin: boolean;
  dishonoured: boolean;
  place: number | null;
  leads: boolean;
  to_go: number | null;
  budget: { left: number; needed: number; spare: number } | null; // the steps in the cards, and those that are needed
  held: number;
  deck: number;
  played: number[];
  cut: number | null;
}

export interface AveView extends View {
  game: 'ave-caesar';
  seat: number;
  race: number;
  races: number;
  course: string;
  direction: 'cw' | 'ccw';
  phase: 'cut' | 'deal' | 'move' | 'bottom' | 'refill' | 'over';
  turn: number | null;
  order: number[];
  chariots: AveChariot[];
  hand: number[];
  under: number[];
  moves: { card: number; space: string | null }[];
  free: boolean;
  standings: number[];
}

export interface CourseGeometry {
  width: number;
  height: number;
  spaces: Record<string, Shape>;
  outer: Line;
  inner: Line;
  combs: Line[];
  walls: Line[];
  dashes: Line[];
  line: Line;
  starts: Record<string, string[]>;
  caesar: Point;
  caesar_heading: number;
  steps?: Record<'cw' | 'ccw', Record<string, string[]>>;
  places: Record<'cw' | 'ccw', Record<string, Note>>; // the names of the spaces
  terms: Record<string, string>; // their entries in the glossary
}

export interface AveGeometry extends Geometry {
  game: 'ave-caesar';
  courses: Record<string, CourseGeometry>;
}
