// A view as a tree of names and values, for games that the page knows nothing about.
import type { View } from '../../lib/server/views';
import { say } from '../../lib/text/words.svelte';

export interface Branch {
  name: string;
  text: string | null; // null where there are only branches
  branches: Branch[];
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object';

const plain = (value: unknown): string =>
  value === null || value === undefined || value === ''
    ? '–'
    : typeof value === 'boolean'
      ? say(value ? 'generic.yes' : 'generic.no')
      : String(value);

/** Returns the name of a field as people write it: `to_go` is "to go". */
const readable = (name: string): string => name.replace(/[_-]+/g, ' ');

function branch(name: string, value: unknown): Branch {
  if (isPlain(value)) return { name, text: plain(value), branches: [] };
  if (Array.isArray(value)) {
    if (value.every(isPlain))
      return { name, text: value.length ? value.map(plain).join(', ') : '–', branches: [] };
    return { name, text: null, branches: value.map((item, i) => branch(String(i + 1), item)) };
  }
  return {
    name,
    text: null,
    branches: Object.entries(value as object).map(([key, item]) => branch(readable(key), item)),
  };
}

/**
 * Returns the fields of a view. Of these the page understands two: the seat that looks, and the seat whose
 * turn it is.
 */
export function tree(view: View, names: string[]): Branch[] {
  const rest = Object.entries(view).filter(([name]) => !['game', 'seat', 'turn'].includes(name));
  const who = (seat: number | null | undefined): string =>
    seat == null ? '–' : (names[seat] ?? say('replay.watcher'));
  return [
    { name: say('generic.turn'), text: who(view.turn), branches: [] },
    { name: say('replay.from'), text: who(view.seat), branches: [] },
    ...rest.map(([name, value]) => branch(readable(name), value)),
  ];
}

/** Returns a tree as lines of text. */
export const lines = (branches: Branch[], before = ''): string[] =>
  branches.flatMap(({ name, text, branches: inner }) => [
    ...(text === null ? [] : [`${before}${name}${say('generic.colon')}${text}`]),
    ...lines(inner, `${before}${name}, `),
  ]);
