// The keyboard's focus on a table: it goes to the next thing to do after every move.

const PLACES = {
  moves: [
    '#moves [data-act]:not([disabled])',
    '.hand .lit:not([disabled])',
    'svg.board [role="button"][tabindex="0"]:not([aria-disabled="true"])',
    '.all summary',
  ],
  log: ['.log [tabindex]'],
  position: ['#position summary'],
  end: ['#over-title'], // not a button: whoever presses a key a moment too late starts no rematch
};

let byKeyboard = false;
globalThis.addEventListener?.('keydown', () => (byKeyboard = true), true);
globalThis.addEventListener?.('pointerdown', () => (byKeyboard = false), true);

const find = (places: string[]): HTMLElement | null =>
  places.map((place) => document.querySelector<HTMLElement>(place)).find(Boolean) ?? null;

/** Focuses the first element of a kind; returns whether there is one. */
export function focusOn(what: keyof typeof PLACES): boolean {
  const found = find(PLACES[what]);
  found?.focus();
  return found !== null;
}

/** Focuses the button of an action, so that the focus comes back to it when the form that opens is closed. */
export function focusButton(act: string): void {
  document.querySelector<HTMLElement>(`#moves [data-act="${act}"]`)?.focus({ preventScroll: true });
}

/**
 * Focuses the next thing to do, for someone who plays by keyboard. Whoever writes or reads elsewhere is left alone.
 * Where there is nothing to do, the headline takes a focus that would be lost.
 */
export function focusNext(isAsked: boolean, isOver: boolean): void {
  const active = document.activeElement;
  const isLost = active === null || active === document.body;
  if (!byKeyboard || !(isLost || active.closest('.centre, .doing'))) return;
  if (
    active instanceof HTMLInputElement ||
    active instanceof HTMLSelectElement ||
    active instanceof HTMLTextAreaElement
  )
    return;
  if (isAsked && !isLost && active.matches('#moves [data-act]:not([disabled])')) return; // the same button again
  if (isOver ? focusOn('end') : isAsked && focusOn('moves')) return;
  if (isLost) document.querySelector<HTMLElement>('.headline')?.focus({ preventScroll: true });
}
