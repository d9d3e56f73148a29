// The picture of a card: a scene for its kind of effect, and before it a sign of its own.

export type Scene =
  'gallop' | 'mire' | 'dice' | 'crash' | 'omen' | 'senate' | 'treasure' | 'workshop' | 'stable' | 'crowd';

export interface Vignette {
  scene: Scene;
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
const coin =
  'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm0 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm-2 3v8h2.5a4 4 0 0 0 0-8Z';
const shield = 'M4 3h16v8c0 5-3.5 8.5-8 11-4.5-2.5-8-6-8-11Z';
const drop = 'M12 2C16 9 19 12 19 16a7 7 0 0 1-14 0C5 12 8 9 12 2Z';
const scythe = 'M3 21C3 10 10 3 22 2C14 7 9 13 8 21Z';
const rope = 'M7 7a5 5 0 1 0 4.6 7H22v-4H11.6A5 5 0 0 0 7 7Zm0 3a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z';
const lever = 'M4 19h16v3.5H4Zm6-1L15 6.6a3 3 0 1 1 2.8 1.2L13.5 18Z';
const turn = 'M2 12l6-6v4h8V6l6 6-6 6v-4H8v4Z';
const chest = 'M5 3h14l3 5H2ZM3 9.5h18V21H3Zm6 3v3h6v-3Z';
const gust = 'M2 8h11a3 3 0 1 0-3-3h2a1 1 0 1 1 1 1H2Zm0 4h16a3 3 0 1 1-3 3h2a1 1 0 1 0 1-1H2Zm0 5h8v2H2Z';

const NAMED: Record<string, Vignette> = {
  'Add 1': { scene: 'gallop', sign: '+1' },
  'Add 2': { scene: 'gallop', sign: '+2' },
  'Add 3': { scene: 'gallop', sign: '+3' },
  'Subtract 1': { scene: 'mire', sign: '−1' },
  'Subtract 2': { scene: 'mire', sign: '−2' },
  'Subtract 3': { scene: 'mire', sign: '−3' },
  'Move 1': { scene: 'dice', face: 1 },
  'Move 2': { scene: 'dice', face: 2 },
  'Move 3': { scene: 'dice', face: 3 },
  'Move 4': { scene: 'dice', face: 4 },
  'Move 5': { scene: 'dice', face: 5 },
  'Move 6': { scene: 'dice', face: 6 },
  'Try That Again': { scene: 'dice', sign: '↺' },
  'Thrown Fishwife': { scene: 'crash', path: fish },
  'Hobnailed Boot': { scene: 'crash', path: boot },
  'Broom in the Spokes': { scene: 'crash', path: broom },
  'Loaded Die': { scene: 'dice', face: 6 },
  Orangutan: { scene: 'omen', path: ape },
  'Eagle on the Left': { scene: 'omen', path: eagle },
  'Second Wind': { scene: 'gallop', path: gust },
  "Tribune's Veto": { scene: 'senate', path: hand },
  'Rich Aunt': { scene: 'treasure', path: purse },
  'Better Offer': { scene: 'treasure', path: scroll },
  'Side Wager': { scene: 'treasure', path: coin },
  'Matched Greys': { scene: 'stable' },
  'Tow Rope': { scene: 'workshop', path: rope },
  'Scythed Hubs': { scene: 'workshop', path: scythe },
  'Greased Axles': { scene: 'workshop', path: drop },
  'Brake Lever': { scene: 'workshop', path: lever },
  'Swivel Pole': { scene: 'workshop', path: turn },
  'False Bottom': { scene: 'workshop', path: chest },
  'Bronze Flanks': { scene: 'stable', path: shield },
};

const KINDS: Record<string, Vignette> = {
  Move: { scene: 'dice', sign: '±' },
  Event: { scene: 'omen', path: scroll },
  Improvement: { scene: 'workshop', path: wheel },
  Driver: { scene: 'crowd', path: driver },
};

export const vignette = (name: string, type: string): Vignette => NAMED[name] ?? KINDS[type] ?? KINDS.Event;
