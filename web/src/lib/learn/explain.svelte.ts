// The glossary on the screen: things carry `data-term`, the id of their entry.
import type { GameModule } from '../../games/module';
import type { Geometry } from '../server/views';
import { hasMessage, messagesUnder, say } from '../text/words.svelte';

export interface Term {
  name: string;
  text: string;
}

/** Whether the next click asks what a thing is instead of playing. */
export const explain = $state({ on: false });

/** Returns what a thing is: an entry of the game's glossary, or something of its own such as a card. */
export function termOf(game: string, module: GameModule, geometry: Geometry, id: string): Term | null {
  const own = module.explain(id, geometry);
  if (own) return own;
  const key = `${game}.glossary.${id}`;
  return hasMessage(`${key}.text`) ? { name: say(`${key}.name`), text: say(`${key}.text`) } : null;
}

/** Returns the glossary of a game, in its order. */
export const glossaryOf = (game: string): Term[] =>
  messagesUnder(`${game}.glossary.`)
    .filter((id) => id.endsWith('.name'))
    .map((id) => ({ name: say(id), text: say(id.replace(/name$/, 'text')) }));

const PLAYED = 'button, a, input, select, textarea, summary, [role="button"]';

/** Whether a click on an element does something in the game. */
export const isPlayed = (element: Element): boolean => element.closest(PLAYED) !== null;

/** Returns the thing at a point of the screen, the topmost one that has an entry. */
export function thingAt(x: number, y: number): Element | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const thing = element.closest('[data-term]');
    if (thing) return thing;
    if (element.closest('dialog, .explained')) return null;
  }
  return null;
}

/** Returns the things on the screen in their order, each kind once. */
export function allThings(): Element[] {
  const found = new Map<string, Element>();
  for (const thing of document.querySelectorAll('[data-term]')) {
    const id = thing.getAttribute('data-term') ?? '';
    if (!found.has(id) && thing.getClientRects().length) found.set(id, thing);
  }
  return [...found.values()];
}
