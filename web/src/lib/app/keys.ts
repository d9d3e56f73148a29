// Keys of the page's own, such as M for the moves.

/** Whether a key may mean something to the page: no other key is held with it, and nothing is being written. */
export const isShortcut = (event: KeyboardEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  !(event.target as Element).closest('input, select, textarea');
