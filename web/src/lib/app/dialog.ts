// Dialogs of the browser, such as questions and sheets.

/**
 * Returns a function that closes a dialog once and at once: the browser's `close` event comes late, perhaps
 * when the next one is open.
 */
export function closeOnce(dialog: () => HTMLDialogElement | null, closed: () => void): () => void {
  let isClosed = false;
  return () => {
    if (isClosed) return;
    isClosed = true;
    dialog()?.close();
    closed();
  };
}
