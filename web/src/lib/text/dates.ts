// Dates in the reader's language.
import { settings } from '../app/settings.svelte';

export const dateOf = (at: number): string =>
  new Intl.DateTimeFormat(settings.language === 'en' ? 'en-GB' : 'fr', { dateStyle: 'medium' }).format(at);

/** Returns a date with its time, in the reader's time zone, which it names. */
export const momentOf = (at: number): string =>
  new Intl.DateTimeFormat(settings.language === 'en' ? 'en-GB' : 'fr', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
