// The host's invitation to a seat. It stands behind the # of the address, so the browser does not send it
// with the request for the page.

const CODE = /^#invite=([\w-]{1,64})$/;

export const invitationCode = (): string | null => CODE.exec(location.hash)?.[1] ?? null;

/** Removes the code from the address; it works only once. */
export function clearInvitation(): null {
  history.replaceState(history.state, '', location.pathname + location.search);
  return null;
}
