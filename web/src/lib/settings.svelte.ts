// What a person has chosen, kept in this browser.

export interface Settings {
  language: 'en' | 'fr';
  theme: 'system' | 'light' | 'dark';
  sound: boolean;
  motion: 'system' | 'on' | 'off';
  notify: boolean;
  name: string;
  stops: string[]; // the kinds of window of Ben Hvrt in which to be asked
  windows: number; // how many kinds of window there were when the stops were chosen
  limit: number; // up to which to bid without being asked; 0 is none
}

const KEY = 'quadriga.settings';
const LATER = ['PR', 'PB']; // windows that had no stops at first: one was always asked

const preferred = (): 'en' | 'fr' =>
  typeof navigator !== 'undefined' && navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en';

const fresh = (): Settings => ({
  language: preferred(),
  theme: 'system',
  sound: false,
  motion: 'system',
  notify: false,
  name: '',
  stops: ['PR', 'RO', 'PB', 'PA', 'BM', 'RE'],
  windows: 6,
  limit: 0,
});

function read(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (kept.stops && !kept.windows) kept.stops = [...new Set([...LATER, ...kept.stops])];
    return { ...fresh(), ...kept };
  } catch {
    return fresh();
  }
}

export const settings: Settings = $state(read());

export function keep(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    /* a browser that keeps nothing still plays */
  }
}

const night = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null;

export function dress(): void {
  const dark = settings.theme === 'dark' || (settings.theme === 'system' && !!night?.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.lang = settings.language;
}

night?.addEventListener('change', dress);
