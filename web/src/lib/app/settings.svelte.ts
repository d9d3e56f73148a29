// What a person has chosen, kept in this browser.

export interface Settings {
  language: 'en' | 'fr';
  theme: 'system' | 'light' | 'dark';
  sound: boolean;
  motion: 'system' | 'on' | 'off';
  notify: boolean;
  name: string;
  stops: string[]; // the kinds of window of Ben Hvrt in which to be asked
  limit: number; // up to which to bid without being asked; 0 is none
}

const KEY = 'quadriga.settings';

const preferred = (): 'en' | 'fr' =>
  typeof navigator !== 'undefined' && navigator.language.toLowerCase().startsWith('fr') ? 'fr' : 'en';

const fresh = (): Settings => ({
  language: preferred(),
  theme: 'system',
  sound: false,
  motion: 'system',
  notify: false,
  name: '',
  stops: ['RO', 'PA', 'BM', 'RE'],
  limit: 0,
});

function read(): Settings {
  try {
    return { ...fresh(), ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
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
