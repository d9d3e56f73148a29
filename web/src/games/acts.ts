// What a board is given: the actions that the server says are legal, each with its text in words.

export interface Act {
  text: string; // notation
  words: string; // what it does, in the reader's language
}

export interface BoardProps<V, G> {
  view: V;
  geometry: G;
  acts: Act[];
  names: string[];
  play: (text: string) => void;
  hint?: string | null; // an action to point at
}
