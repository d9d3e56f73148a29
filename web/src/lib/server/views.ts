// The fields that every view and geometry has. Each game's folder describes its own in full.

export type Point = [number, number];
export type Line = Point[];

export interface Shape {
  outline: Line;
  centre: Point;
  heading: number;
}

export interface View {
  seat: number; // the seat that looks; -1 is a spectator
  turn?: number | null;
  phase?: string;
}

export interface Geometry {
  game: string;
  roll_mean?: number; // of one roll of the dice, where a game has any
}
