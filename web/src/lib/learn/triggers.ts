// What triggers a sentence of a first race, as `quadriga.learn.first_race` has it.
import type { Event } from '../server/api';
import type { Trigger } from './course';

const matches = (text: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => part.replace(/[^\w\s]/g, '\\$&'))
      .join('.*')}$`,
  ).test(text);

function valueAt(view: unknown, path: string): unknown {
  let found: unknown = view;
  for (const part of path.split('.'))
    found =
      found === null || typeof found !== 'object' ? undefined : (found as Record<string, unknown>)[part];
  return found ?? null;
}

/** Whether a trigger about a position holds. */
export const holds = (trigger: Trigger, view: unknown, legal: string[]): boolean =>
  trigger.note === '' &&
  (trigger.legal === '' || legal.some((text) => matches(text, trigger.legal))) &&
  Object.entries(trigger.view).every(([path, value]) => valueAt(view, path) === value);

/** Whether a trigger about an event holds. */
export const heard = (trigger: Trigger, game: string, event: Event, seat: number): boolean =>
  trigger.note !== '' &&
  (trigger.by === '' || (trigger.by === 'you') === (event.seat === seat)) &&
  (event.notes ?? []).some((note) => note.id === `${game}.why.${trigger.note}`);
