// The picture of a card: a sign for its effect, else one for its type.

export interface Vignette {
  sign?: string; // +1, −2
  face?: number; // a die
  path?: string; // in a box of 24 by 24
}

const fish = 'M2 12c3-5 8-6.5 13-3l5-4v14l-5-4c-5 3.5-10 2-13-3Z';
const boot = 'M7 2h7v10l6 4v4H6v-3l1-5ZM6 21h14v1.5H6Z';
const broom = 'M14 2l2 1-4 9 3 1.5-3 8.5-8-4 5-7.5 2 1Z';
const ape =
  'M12 3a8 8 0 0 1 7.6 5.5 3 3 0 1 1-.3 5.9A8 8 0 0 1 4.7 14.4a3 3 0 1 1-.3-5.9A8 8 0 0 1 12 3Zm-3 5a1.8 1.8 0 1 0 0 3.6A1.8 1.8 0 0 0 9 8Zm6 0a1.8 1.8 0 1 0 0 3.6A1.8 1.8 0 0 0 15 8Zm-6 7c1 2 5 2 6 0l-.8-.8c-1 .8-3.4.8-4.4 0Z';
const eagle =
  'M12 4c2 0 3 1 3 3 3-1 6-3 8-4 0 7-4 11-9 12l2 5-4-2-4 2 2-5C5 14 1 10 1 3c2 1 5 3 8 4 0-2 1-3 3-3Z';
const hand =
  'M8 22V13L5 9l2-1.5 3 3V3.5a1.3 1.3 0 0 1 2.6 0V9V2.5a1.3 1.3 0 0 1 2.6 0V9.5V4a1.3 1.3 0 0 1 2.6 0v11l-2 7Z';
const purse =
  'M9 3h6l-1.5 4C18 9 21 13 20 18c-.5 3-3 4-8 4s-7.5-1-8-4C3 13 6 9 10.5 7Zm1 8v7h2.5a3.5 3.5 0 0 0 0-7Z';
const scroll =
  'M5 3h12a3 3 0 0 1 3 3v2h-4V19a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-2h3V5ZM9 8h5v1.5H9Zm0 4h5v1.5H9Z';
const wheel =
  'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm-1.2 3v4.2L7.8 6.2A7.5 7.5 0 0 1 10.8 5Zm2.4 0a7.5 7.5 0 0 1 3 1.2l-3 3ZM5 10.8a7.5 7.5 0 0 1 1.2-3l3 3Zm9.8 0 3-3a7.5 7.5 0 0 1 1.2 3ZM5 13.2h4.2l-3 3a7.5 7.5 0 0 1-1.2-3Zm9.8 0H19a7.5 7.5 0 0 1-1.2 3Zm-4 1.6V19a7.5 7.5 0 0 1-3-1.2Zm2.4 0 3 3a7.5 7.5 0 0 1-3 1.2Z';
const driver =
  'M12 2c4 0 6.5 2.5 6.5 6.5 0 1-.2 1.5-.5 2.5h-2c0 3-1.5 5-4 5s-4-2-4-5H6c-.3-1-.5-1.5-.5-2.5C5.5 4.5 8 2 12 2ZM3 22c0-4 3.5-6 6-6l3 2.5 3-2.5c2.5 0 6 2 6 6Z';
const gust = 'M2 8h11a3 3 0 1 0-3-3h2a1 1 0 1 1 1 1H2Zm0 4h16a3 3 0 1 1-3 3h2a1 1 0 1 0 1-1H2Zm0 5h8v2H2Z';

const NAMED: Record<string, Vignette> = {
  'Add 1': { sign: '+1' },
  'Add 2': { sign: '+2' },
  'Add 3': { sign: '+3' },
  'Subtract 1': { sign: '−1' },
  'Subtract 2': { sign: '−2' },
  'Subtract 3': { sign: '−3' },
  'Move 1': { face: 1 },
  'Move 2': { face: 2 },
  'Move 3': { face: 3 },
  'Move 4': { face: 4 },
  'Move 5': { face: 5 },
  'Move 6': { face: 6 },
  'Try That Again': { sign: '↺' },
  'Thrown Fishwife': { path: fish },
  'Hobnailed Boot': { path: boot },
  'Broom in the Spokes': { path: broom },
  'Loaded Die': { face: 6 },
  Orangutan: { path: ape },
  'Eagle on the Left': { path: eagle },
  'Second Wind': { path: gust },
  "Tribune's Veto": { path: hand },
  'Rich Aunt': { path: purse },
  'Better Offer': { path: purse },
  'Side Wager': { path: purse },
};

const KINDS: Record<string, Vignette> = {
  Move: { sign: '±' },
  Event: { path: scroll },
  Improvement: { path: wheel },
  Driver: { path: driver },
};

export const vignette = (name: string, type: string): Vignette => NAMED[name] ?? KINDS[type] ?? KINDS.Event;
