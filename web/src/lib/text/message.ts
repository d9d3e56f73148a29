// A message is a text with {holes}, or two texts of which the parameter n chooses one.

export type Message = string | { one: string; other: string };

/** Returns a text with typographic apostrophes: between letters, and before or after a hole. */
export const typeset = (text: string): string => text.replace(/(?<=[\p{L}\p{N}}])'(?=[\p{L}\p{N}{])/gu, '’');

/** Returns a text with no-break spaces before the marks that French separates from the word. */
export const spaced = (text: string, language: 'en' | 'fr'): string =>
  language === 'fr' ? text.replace(/ (?=[!?;:»%…])/g, '\u00a0').replace(/« /g, '«\u00a0') : text;

function shown(value: unknown, language: 'en' | 'fr'): string {
  if (Array.isArray(value)) return value.map((item) => shown(item, language)).join(', ');
  if (value !== null && typeof value === 'object') {
    const texts = value as Record<string, string>;
    return typeset(texts[language] ?? texts.en ?? '');
  }
  return value === null || value === undefined ? '' : String(value);
}

/** Names before which French shortens a word: d’Uranius, d’Hélène, but de Diocles. */
const ELIDING = /^[aeiouhàâäéèêëîïôöùûüœæ]/i;

const quoted = (text: string, language: 'en' | 'fr'): string =>
  language === 'fr' ? `« ${text} »` : `“${text}”`;

export function fill(message: Message, parameters: Record<string, unknown>, language: 'en' | 'fr'): string {
  let text: string;
  if (typeof message === 'string') text = message;
  else {
    const n = Number(parameters.n);
    text = message[(language === 'fr' ? n === 0 || n === 1 : n === 1) ? 'one' : 'other'];
  }
  return text.replace(
    /\{\{|\}\}|(\b(?:de|que) )?\{([\w-]+)(!r)?\}/gi,
    (hole, before: string | undefined, name: string | undefined, raw: string | undefined) => {
      if (name === undefined) return hole[0];
      const value = shown(parameters[name], language);
      const elided =
        before && language === 'fr' && !raw && ELIDING.test(value)
          ? `${before.slice(0, -2)}’`
          : (before ?? '');
      return elided + (raw ? quoted(value, language) : value);
    },
  );
}

/** Returns the names of the holes of a message; a test compares the languages. */
export function holes(message: Message): string[] {
  const texts = typeof message === 'string' ? [message] : [message.one, message.other];
  return [
    ...new Set(texts.flatMap((text) => [...text.matchAll(/\{([\w-]+)\}/g)].map((found) => found[1]))),
  ].sort();
}
