// The view and the geometry of Ben Hvrt, as the server sends them.
import type { Geometry, Line, Point, Shape, View } from '../../lib/server/views';
import type { Note } from '../../lib/text/words.svelte';

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

export interface BenView extends View {
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
  move: {
    chariot: number;
    stage: string;
    natural: number | null;
    roll: number | null;
    steps: number;
    dice: number[];
  } | null;
  window: string | null;
  target: number | null;
  targets: string[];
  reach: Record<string, string>; // squares that the reader can drive to, each with the square before it on the way
  answering: string[];
  stalled: number;
}

export interface TrackGeometry {
  width: number;
  height: number;
  squares: Record<string, Shape>;
  line: Line;
  grid: string[];
  outer: number; // radii of the two edges
  inner: number;
  corners: { centre: Point; start: Point; end: Point }[]; // arcs of an edge, with the directions of their ends
  centre: Point;
}

export interface Card {
  name: string;
  names: { en: string; fr: string };
  texts: { en: string; fr: string };
  flavours: { en: string; fr: string };
  upkeep: { en: string; fr: string } | null; // what it costs every race; null of a card that is played once
  type: 'Move' | 'Event' | 'Improvement' | 'Driver';
  copies: number;
  price: number;
  window: string;
  takes: 'nothing' | 'value' | 'chariot' | 'opposing chariot' | 'two chariots';
}

export interface BenGeometry extends Geometry {
  game: 'ben-hvrt';
  track: TrackGeometry;
  ahead: Record<string, string>; // the next square of the same lane
  places: Record<string, Note>; // the names of the squares
  terms: Record<string, string>; // their entries in the glossary
  cards: Card[];
  seats: number;
  chariots: number;
  owners: number[]; // the seat of each chariot
  laps: (number | null)[];
}
