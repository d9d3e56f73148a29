// The view and the geometry of Ur, as the server sends them.
import type { Geometry, View } from '../../lib/server/views';
import type { Note } from '../../lib/text/words.svelte';

export interface UrMarker {
  seat: number;
  dotted: boolean;
  step: number;
  space: string;
}

export interface UrView extends View {
  game: 'ur';
  rules: string;
  markers: number;
  loop: string;
  seat: number;
  phase: 'opening' | 'jump' | 'roll' | 'move' | 'over';
  turn: number | null;
  roll: number | null;
  first: number | null;
  home: [number, number];
  off: [number, number];
  board: UrMarker[];
  winner: number | null;
}

export interface UrGeometry extends Geometry {
  game: 'ur';
  // `term` is the entry in the glossary.
  spaces: Record<string, { column: number; row: string; motif: string; term: string }>;
  terms: Record<'blank' | 'dotted' | 'roll', string>; // the entries of markers and dice
  paths: [string[], string[]];
  places: [Note[], Note[]]; // the names of the spaces of each path
  rules: string;
  markers: number;
  dice: number[]; // the weights of the rolls 0 to 4
  dice_count: number;
  dice_marked: number[]; // by roll: how many dice show a marked corner
  path_length: number; // steps from home to off
  dark_seat: number; // the seat with the dark markers
  dotted_off: boolean; // a marker that is off shows its dots
}
