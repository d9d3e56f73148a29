// Dates in the reader's language.
import { settings } from '../app/settings.svelte';

export const dateOf = (at: number): string =>
  new Intl.DateTimeFormat(settings.language === 'en' ? 'en-GB' : 'fr', { dateStyle: 'medium' }).format(at);
