// Colours of stone and sun.
export const SAND = '#e6cf9f';
export const GROUND = '#c2a06a';
export const STONE = '#efe6d2';
export const SHADE = '#5b3a22';
export const RED = '#9e2b25';
export const BRONZE = '#8a6a2f';
export const LAUREL = '#4f6b3a';
export const ACCENTS: Record<string, string> = {
  white: '#fbf7ec',
  blue: '#2f5f9e',
  yellow: '#e0b030',
  red: RED,
};
export const NUMERALS = ['I', 'II', 'III', 'IV', 'V', 'VI'];
