// Things on the screen that the glossary can explain: elements with `data-term`.

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
