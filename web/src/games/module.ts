// The interface between the page and a game: components for board and controls, and functions that put things
// into words.
// The page knows no game by name. It asks the registry for a module and draws what the module gives.
import type { Component } from 'svelte';
import type { Sound } from '../lib/app/sound';
import type { Livery } from '../lib/drawing/liveries';
import type { Event } from '../lib/server/api';
import type { PlayRoom } from '../lib/server/playRoom';
import type { Geometry, View } from '../lib/server/views';
import type { Message } from '../lib/text/message';
import type { Note } from '../lib/text/words.svelte';

/** What a newcomer wants to know before a game: about how long it takes, and how hard it is. */
export interface Taste {
  minutes: number;
  level: 1 | 2 | 3; // easy, medium, hard
}

/** An action that the server says is legal. */
export interface Act {
  text: string; // notation
  words: string; // what it does, in the reader's language
  short: string; // the label of its button
  family: boolean; // stands for many actions; the player composes one of them
}

export interface BoardProps<V extends View, G extends Geometry, U> {
  view: V;
  geometry: G;
  acts: Act[];
  names: string[];
  play: (text: string) => void;
  hint: string | null; // an action to point at
  tall: boolean; // on a narrow, tall screen
  ui: U;
}

/** The props of hand, controls and reasons. */
export interface PlayProps<V extends View, G extends Geometry, U> {
  room: PlayRoom;
  view: V;
  geometry: G;
  names: string[];
  acts: Act[];
  asked: boolean; // it is the reader's decision
  busy: boolean; // an action is on its way, or an earlier position is shown
  play: (text: string) => void;
  composing: string | null; // the family of actions that the player composes one of
  close: () => void; // ends composing
  ui: U;
}

export interface SeatProps<V extends View, G extends Geometry> {
  view: V;
  geometry: G;
  names: string[];
  seat: number;
}

export interface BadgeLook extends Livery {
  shows: 'emblem' | 'letter' | 'both';
}

export interface GameModule<V extends View = View, G extends Geometry = Geometry, U = unknown> {
  /** The game's sentences, beside those that the server sends. */
  words: { en: Record<string, Message>; fr: Record<string, Message> };
  taste: Taste | null; // how long and how hard a usual game is; null where the page does not know
  /**
   * Returns the choices that board, hand and controls share and that outlive a change of layout. `isTaught` is
   * true in lessons, puzzles and first races.
   */
  createUi: (isTaught?: boolean) => U;

  Board: Component<BoardProps<V, G, U>>;
  Hand: Component<PlayProps<V, G, U>> | null;
  Controls: Component<PlayProps<V, G, U>> | null; // above the buttons
  Reasons: Component<PlayProps<V, G, U>> | null; // below the buttons: why something cannot be done
  HeadlineArt: Component<{ view: V; geometry: G; log: Event[] }> | null;
  SeatFacts: Component<SeatProps<V, G>> | null;
  Tools: Component<{ view: V; names: string[]; ui: U }> | null; // small buttons that show something on the board
  Picture: Component; // for the card on the first page
  RulesArt: Component<{ geometry: G }> | null;
  Settings: Component | null; // on the page of settings
  keys: string[]; // messages about keys of this game

  /** From this width of the window on, the controls stand beside the board; null is never. */
  besideFrom: number | null;
  handBeside: boolean; // then the hand does, too
  /** Whether the board has a track that the reader may want to see enlarged. */
  canZoom: (view: V) => boolean;
  /** Whether the board is what matters now; else the controls stand below it even on a wide screen. */
  isBoardFirst: (view: V) => boolean;
  /** Whether the controls show something although the reader is not asked. */
  showsControls: (view: V) => boolean;

  badge: (seat: number, geometry?: G) => BadgeLook; // before a table is set up there is no geometry
  lineColour: (seat: number) => string; // in charts

  /** Returns the label of an action's button; null takes the server's explanation. */
  label: (text: string, view: V, geometry: G, names: string[]) => string | null;
  /** Whether an action is a button; the others are on the board or in the hand, and in a list that can be opened. */
  isButton: (text: string) => boolean;
  areButtonsExplained: boolean; // a label of notation needs the explanation beside it
  /** Whether a button stands out and comes first; null where only a single one does. */
  isPrimary: (text: string) => boolean | null;
  /** Returns what a thing is that the glossary does not know, such as a card of its deck; null takes the glossary. */
  explain: (term: string, geometry: G) => { name: string; text: string } | null;
  /** Returns an action in a few words for the list of a hint; null takes its label. */
  brief: (text: string, view: V, geometry: G) => string | null;
  /** Returns a composed action in words, as advice or as the log tells it; null for any other. */
  composed: (text: string, geometry: G, names: string[], use?: 'hint' | 'log') => string | null;

  /** Returns what the reader is asked to do; null is "Your turn". */
  headline: (view: V, names: string[]) => string | null;
  /** Returns what the reader waits for; null names the player whose turn it is. */
  waiting: (view: V) => string | null;
  /** Returns the seats that still race; none between two races, or in a game without races. */
  racing: (view: V) => number[];
  /** Returns what the dice of the reader decide when they are rolled by hand; null is "Roll the dice". */
  rolling: (view: V) => string | null;
  /** Returns what is settled before the first move, and how it was; null where there is nothing to tell. */
  settled: (view: V, log: Event[], names: string[]) => string | null;
  subline: (view: V) => string;
  position: (view: V, geometry: G, names: string[]) => string[]; // as text, line by line
  held: (view: V, geometry: G) => string | null; // the hand of the seat that looks

  /** Returns a note as the log shows it beside a board, where less need be said; null where it is the same. */
  glanceNote: ((note: Note) => Note) | null;
  /** Whether a note is not worth a line of the log: a pass, a card that is drawn face down. */
  isIdle: (note: Note) => boolean;
  /** Whether a note is about everybody, not about the seat that acted. */
  isForAll: (note: Note) => boolean;
  /** Whether an event begins another line although the seat is the same. */
  beginsTurn: (event: Event) => boolean;
  /** Whether an event is one of many steps of which only the last is told. */
  isStep: (event: Event) => boolean;
  joinNotes: (before: Note[], after: Note[]) => Note[];
  section: (section: Record<string, unknown>) => string; // a heading of the log

  /** Sounds of effects by the last part of their message ids; the first of an event is heard. */
  sounds: Record<string, Sound>;

  choice: (option: string, choice: string) => string | null; // the label of an option's choice

  result: (view: V, seat: number, score: number) => string;
  /** Returns how far each seat is, for the chart at the end; null where that is unknown. */
  progress: (view: V, geometry: G, scores: number[]) => (number | null)[];
  progressTitle: () => string;
  chartFromZero: boolean;
  /** The title of a second chart with the points over several races; null where there is none. */
  pointsTitle: (view: V) => string | null;
  /** Returns the number that an outcome of chance shows, if it is a roll of dice. */
  rolled: (text: string) => number | null;
}

/** Returns the sound of an event: that of its first effect that has one, else of dice or of a move. */
export function soundOf(event: Pick<Event, 'kind' | 'notes'>, module: Pick<GameModule, 'sounds'>): Sound {
  const heard = (event.notes ?? []).map((note) => module.sounds[note.id.split('.').at(-1) ?? '']);
  return heard.find(Boolean) ?? (event.kind === 'chance' ? 'dice' : 'move');
}
