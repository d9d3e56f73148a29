// A message is a text with {holes}, or one of two such by the parameter n.

export type Message = string | { one: string; other: string };

/** Apostrophes as printers set them, whoever has written the text: between letters, before a hole, after one. */
export const typeset = (text: string): string => text.replace(/(?<=[\p{L}\p{N}}])'(?=[\p{L}\p{N}{])/gu, '’');

/** In French a mark of two parts is never alone on a line. */
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

/** What French shortens a word before: d’Uranius, d’Hélène, but de Diocles. */
const ELIDING = /^[aeiouhàâäéèêëîïôöùûüœæ]/i;

const quoted = (text: string, language: 'en' | 'fr'): string => (language === 'fr' ? `« ${text} »` : `“${text}”`);

export function fill(message: Message, parameters: Record<string, unknown>, language: 'en' | 'fr'): string {
  let text: string;
  if (typeof message === 'string') text = message;
  else {
    const n = Number(parameters.n);
    text = message[(language === 'fr' ? n === 0 || n === 1 : n === 1) ? 'one' : 'other'];
  }
  return text.replace(/\{\{|\}\}|(\b(?:de|que) )?\{([\w-]+)(!r)?\}/gi, (hole, before: string | undefined, name: string | undefined, raw: string | undefined) => {
    if (name === undefined) return hole[0];
    const value = shown(parameters[name], language);
    const elided = before && language === 'fr' && !raw && ELIDING.test(value) ? `${before.slice(0, -2)}’` : (before ?? '');
    return elided + (raw ? quoted(value, language) : value);
  });
}

/** The names of the holes of a message, for the test of parity. */
export function holes(message: Message): string[] {
  const texts = typeof message === 'string' ? [message] : [message.one, message.other];
  return [...new Set(texts.flatMap((text) => [...text.matchAll(/\{([\w-]+)\}/g)].map((found) => found[1])))].sort();
}
