// The shapes of views and geometries, as the engine writes them.

export type Point = [number, number];
export type Line = Point[];

export interface Shape {
  outline: Line;
  centre: Point;
  heading: number;
}

// Ur

export interface UrMarker {
  seat: number;
  dotted: boolean;
  step: number;
  space: string;
}

export interface UrView {
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

export interface UrGeometry {
  game: 'ur';
  spaces: Record<string, { column: number; row: string; motif: string }>;
  paths: [string[], string[]];
  rules: string;
  markers: number;
  dice: number[]; // the weights of the rolls 0 to 4
}

// Ave Caesar

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
  held: number;
  deck: number;
  played: number[];
  cut: number | null;
}

export interface AveView {
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
}

// Ben Hvrt

export interface Bribe {
  to: number;
  card: string;
  chariot: number | null;
  money: number;
}

export interface BenPlayer {
  seat: number;
  purse: number;
  cards: number;
  known: string[];
  plays: boolean;
  ready: boolean;
  offers_made: number;
  auction_cards: number;
  bribe: Bribe | null;
  die: number | null;
}

export interface BenChariot {
  number: number;
  seat: number;
  driver: string | null;
  improvements: string[];
  entered: boolean;
  racing: boolean;
  place: number | null;
  square: string | null;
  lap: number;
  speed: number;
  next_roll: number | null;
  moved: boolean;
}

export interface BenView {
  game: 'ben-hvrt';
  seat: number;
  race: number;
  races: number;
  laps: number | null;
  series: (number | null)[];
  phase: 'cast' | 'deal' | 'auction' | 'market' | 'maintenance' | 'race' | 'over';
  turn: number | null;
  asked: boolean;
  dealer: number | null;
  pot: number;
  deck: number;
  discards: string[];
  hand: string[];
  players: BenPlayer[];
  chariots: BenChariot[];
  lot: { card: string; price: number; auctioneer: number; bid: number | null; bidders: number[] } | null;
  offer: {
    maker: number;
    to: number;
    give: string[] | null;
    give_money: number | null;
    want: string[] | null;
    want_money: number | null;
  } | null;
  due: { card: string; chariot: number; cost: number } | null;
  move: { chariot: number; stage: string; natural: number | null; roll: number | null; steps: number; dice: number[] } | null;
  window: string | null;
  target: number | null;
  targets: string[];
  answering: string[];
  stalled: number;
}

export interface TrackGeometry {
  width: number;
  height: number;
  squares: Record<string, Shape>;
  line: Line;
  grid: string[];
  outer: number;
  inner: number;
  left: number;
  right: number;
  middle: number;
}

export interface Card {
  name: string;
  names: { en: string; fr: string };
  texts: { en: string; fr: string };
  type: 'Move' | 'Event' | 'Improvement' | 'Driver';
  copies: number;
  price: number;
  window: string;
  takes: 'nothing' | 'value' | 'chariot' | 'opposing chariot' | 'two chariots';
}

export interface AveGeometry {
  game: 'ave-caesar';
  courses: Record<string, CourseGeometry>;
}

export interface BenGeometry {
  game: 'ben-hvrt';
  track: TrackGeometry;
  cards: Card[];
  seats: number;
  chariots: number;
  laps: (number | null)[];
}

export type Geometry = UrGeometry | AveGeometry | BenGeometry;
export type View = UrView | AveView | BenView;
