// The colours, emblems and letters of twelve players. Colour alone never distinguishes two of them.

export interface Livery {
  letter: string;
  fill: string;
  ink: string; // what is drawn on the fill
  emblem: string; // a path in a box of 24 by 24
}

const wheel =
  'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18Zm0 2.4a6.6 6.6 0 0 1 .9.1v5.2a1.6 1.6 0 0 1 .4.2l4.5-2.6a6.6 6.6 0 0 1 .8 1.5l-4.5 2.6v.5l4.5 2.6a6.6 6.6 0 0 1-.8 1.5l-4.5-2.6-.4.2v5.2a6.6 6.6 0 0 1-1.8 0v-5.2l-.4-.2-4.5 2.6a6.6 6.6 0 0 1-.8-1.5l4.5-2.6v-.5L5.4 8.8a6.6 6.6 0 0 1 .8-1.5l4.5 2.6.4-.2V5.5a6.6 6.6 0 0 1 .9-.1Z';
const crescent = 'M15.5 3.2A9.3 9.3 0 1 0 20.8 15 7.6 7.6 0 0 1 15.5 3.2Z';
const star = 'M12 2.5l2.7 6.3 6.8.6-5.2 4.5 1.6 6.7L12 17.1l-5.9 3.5 1.6-6.7L2.5 9.4l6.8-.6Z';
const bolt = 'M13.5 2 5 13.5h5.5L8.5 22 19 9.5h-6Z';
const leaf = 'M20 3C9 3.5 4 9 4.5 16.5L3 21l1.8.5 1.4-4C14 18.5 20 14 20 3Zm-4 4.5L7.5 15.5 14.5 6.5Z';
const amphora =
  'M9.5 2h5v2h-1v2.2c2.2.8 3.7 2.8 3.7 5.3 0 3.3-1.8 5.6-3.2 7.5h1.5v2.5h-7V19H10c-1.4-1.9-3.2-4.2-3.2-7.5 0-2.5 1.5-4.5 3.7-5.3V4h-1ZM5 5.5h3V7H6.5v3H5Zm11 0h3V10h-1.5V7H16Z';
const trident =
  'M11 22v-7.2C7.5 14.5 5 12 5 8V4.5L3.5 5.5 6 2l2.5 3.5L7 4.5V8c0 2.5 1.5 4.3 4 4.7V5L9.5 6 12 2l2.5 4L13 5v7.7c2.5-.4 4-2.2 4-4.7V4.5l-1.5 1L18 2l2.5 3.5-1.5-1V8c0 4-2.5 6.5-6 6.8V22Z';
const sun =
  'M12 7a5 5 0 1 1 0 10 5 5 0 0 1 0-10ZM11 1.5h2L12.7 5.5h-1.4ZM11 22.5h2l-.3-4h-1.4ZM1.5 11v2l4-.3v-1.4ZM22.5 11v2l-4-.3v-1.4ZM4 5.4 5.4 4l2.7 3-1.1 1.1ZM18.6 20l1.4-1.4-3-2.7-1.1 1.1ZM4 18.6 5.4 20l2.7-3L7 15.9ZM18.6 4 20 5.4 17 8.1 15.9 7Z';
const column =
  'M4 3h16v3h-2v1.5H6V6H4Zm3 5.5h2V17H7Zm4 0h2V17h-2Zm4 0h2V17h-2ZM5.5 18h13v1.5H20V22H4v-2.5h1.5Z';
const fish =
  'M2 12c3-5 8-6.5 13-3l5-4v14l-5-4c-5 3.5-10 2-13-3Zm5-1.8a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8Z';
const shield = 'M4 3h16v8c0 5-3.5 8.5-8 11-4.5-2.5-8-6-8-11Zm7 2.5v5H6.5v2.5H11V18h2v-5h4.5v-2.5H13v-5Z';
const helm =
  'M12 2c3 0 4 1.5 4 3 3 1.5 4.5 4.5 4.5 8.5V21h-4v-5H14v-3.5h5c-.5-3-2.5-5-6-5.5v-.5C9 7 6.5 9.5 6.5 14v2.5L8 21H4.5L3 14.5C3 9 6 4.5 12 2Z';

export const LIVERIES: Livery[] = [
  { letter: 'A', fill: '#b3282d', ink: '#ffffff', emblem: wheel },
  { letter: 'B', fill: '#1f5fa8', ink: '#ffffff', emblem: crescent },
  { letter: 'C', fill: '#f2c230', ink: '#241a0c', emblem: star },
  { letter: 'D', fill: '#007a5a', ink: '#ffffff', emblem: leaf },
  { letter: 'E', fill: '#f6f1e4', ink: '#241a0c', emblem: bolt },
  { letter: 'F', fill: '#6d3a93', ink: '#ffffff', emblem: amphora },
  { letter: 'G', fill: '#26221f', ink: '#ffffff', emblem: trident },
  { letter: 'H', fill: '#e8862e', ink: '#241a0c', emblem: sun },
  { letter: 'I', fill: '#67bfe0', ink: '#241a0c', emblem: column },
  { letter: 'J', fill: '#d77fb1', ink: '#241a0c', emblem: fish },
  { letter: 'K', fill: '#74492a', ink: '#ffffff', emblem: shield },
  { letter: 'L', fill: '#a9c27a', ink: '#241a0c', emblem: helm },
];

export const livery = (number: number): Livery => LIVERIES[((number % 12) + 12) % 12];
