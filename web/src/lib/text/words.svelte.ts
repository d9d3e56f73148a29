// Every sentence by its id, in the reader's language: the page's own, those of the games, and the server's.
import { en } from '../../words/en';
import { fr } from '../../words/fr';
import { fill, spaced, typeset, type Message } from './message';
import { settings } from '../app/settings.svelte';

export type Language = 'en' | 'fr';
export interface Note {
  rule?: string;
  id: string;
  with?: Record<string, unknown>;
}

const own: Record<Language, Record<string, Message>> = { en: { ...en }, fr: { ...fr } };
const engine: Record<Language, Record<string, Message>> = $state({ en: {}, fr: {} });
const isAsked: Record<Language, boolean> = { en: false, fr: false };

const set = (message: Message): Message =>
  typeof message === 'string'
    ? typeset(message)
    : { one: typeset(message.one), other: typeset(message.other) };

/** Adds the sentences of a game. */
export function addWords(words: Record<Language, Record<string, Message>>): void {
  Object.assign(own.en, words.en);
  Object.assign(own.fr, words.fr);
}

/** Fetches the server's catalogue of a language, once. */
export async function fetchWords(language: Language): Promise<void> {
  if (isAsked[language]) return;
  isAsked[language] = true;
  try {
    const answer = await fetch(`/api/words/${language}`);
    if (!answer.ok) throw new Error(String(answer.status));
    const messages: Record<string, Message> = (await answer.json()).messages;
    engine[language] = Object.fromEntries(
      Object.entries(messages).map(([id, message]) => [id, set(message)]),
    );
  } catch {
    isAsked[language] = false;
    setTimeout(() => void fetchWords(language), 3000);
  }
}

export function say(id: string, parameters: Record<string, unknown> = {}): string {
  const language = settings.language;
  const message = own[language][id] ?? engine[language][id];
  return message === undefined ? id : spaced(fill(message, parameters, language), language);
}

export const hasMessage = (id: string): boolean => {
  const language = settings.language;
  return id in own[language] || id in engine[language];
};

/** Returns the ids of the server's messages that begin with a prefix, in the order of the catalogue. */
export const messagesUnder = (prefix: string): string[] =>
  Object.keys(engine[settings.language]).filter((id) => id.startsWith(prefix));

export const sayNote = (note: Note): string => say(note.id, note.with ?? {});

export const localised = (texts: { en: string; fr: string } | undefined | null): string =>
  spaced(typeset(texts?.[settings.language] ?? ''), settings.language);

/** Returns a number with so many digits after its decimal point or comma. */
export const decimal = (value: number, digits: number): string =>
  value.toLocaleString(settings.language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Returns a share as a percentage. */
export const percent = (share: number, digits = 0): string =>
  `${decimal(100 * share, digits)}${settings.language === 'fr' ? '\u00a0' : ''}%`;

/** Returns sentences side by side. */
export const joinSentences = (sentences: string[]): string =>
  sentences.join(settings.language === 'fr' ? '\u00a0; ' : '; ');

/** Returns a thing and what is said about it. */
export const labelled = (thing: string, what: string): string => `${say('why.thing', { thing })} ${what}`;

/** Returns a place in a race: 1st, 2nd. */
export const ordinal = (place: number | null): string =>
  place === null ? '' : hasMessage(`ordinal.${place}`) ? say(`ordinal.${place}`) : String(place);

/** Returns a list as one reads it aloud. */
export const joinList = (items: string[]): string =>
  new Intl.ListFormat(settings.language, { style: 'long', type: 'conjunction' }).format(items);
