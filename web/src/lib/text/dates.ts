// Dates in the reader's language.
import { settings } from '../app/settings.svelte';

const locale = (): string => (settings.language === 'en' ? 'en-GB' : 'fr');

export const dateOf = (at: number): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(at);

/** Returns an hour of the day as a time. */
export const hourOf = (hour: number): string =>
  new Date(2000, 0, 1, hour).toLocaleTimeString(locale(), { hour: 'numeric', minute: '2-digit' });

/** Returns a date with its time, in the reader's time zone, which it names. */
export const momentOf = (at: number): string =>
  new Intl.DateTimeFormat(locale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
