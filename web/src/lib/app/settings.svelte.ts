// The user's settings, kept in this browser.

export interface Settings {
  language: 'en' | 'fr';
  theme: 'system' | 'light' | 'dark';
  sound: boolean;
  motion: 'system' | 'on' | 'off';
  notify: boolean;
  name: string;
  stops: string[] | null; // the reaction windows to be asked in; null is all
  asks: 'concerns' | 'could' | 'always'; // on which occasions reactions ask
  windows: number; // how many kinds of window there were when the stops were chosen
  ruleNumbers: boolean; // whether the log and the rules show the numbers of rules
  level: string; // of the bots that "Play against bots" seats
  coach: boolean; // whether the coach speaks when nobody else plays
  limit: number; // bid up to this without asking; 0 always asks
}

const KEY = 'quadriga.settings';
const ADDED_WINDOWS = ['PR', 'PB']; // version 0.1 always asked in these, so its stored choice does not name them

const preferred = (): 'en' | 'fr' =>
  typeof navigator !== 'undefined' && navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en';

const fresh = (): Settings => ({
  language: preferred(),
  theme: 'system',
  sound: false,
  motion: 'system',
  notify: false,
  name: '',
  stops: null,
  asks: 'concerns',
  windows: 6,
  ruleNumbers: false,
  level: 'normal',
  coach: false,
  limit: 0,
});

function read(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (kept.stops && !kept.windows) kept.stops = [...new Set([...ADDED_WINDOWS, ...kept.stops])];
    return { ...fresh(), ...kept };
  } catch {
    return fresh();
  }
}

export const settings: Settings = $state(read());

/** Whether the user wants to be asked in a reaction window. */
export const asksIn = ({ stops }: Settings, window: string): boolean =>
  stops === null || stops.includes(window);

export function saveSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    /* the page also works in a browser that stores nothing */
  }
}

const night = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null;
const still = typeof matchMedia === 'function' ? matchMedia('(prefers-reduced-motion: reduce)') : null;

export const isMotionOff = (): boolean =>
  settings.motion === 'off' || (settings.motion === 'system' && !!still?.matches);

export function applyAppearance(): void {
  const dark = settings.theme === 'dark' || (settings.theme === 'system' && !!night?.matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  document.documentElement.dataset.motion = isMotionOff() ? 'off' : 'on';
  document.documentElement.lang = settings.language;
}

night?.addEventListener('change', applyAppearance);
still?.addEventListener('change', applyAppearance);
