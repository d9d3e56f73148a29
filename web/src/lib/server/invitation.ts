// The host's invitation to a seat, behind the # of the address: a browser does not send it to the server with the page.

const CODE = /^#invite=([\w-]{1,64})$/;

export const invitation = (): string | null => CODE.exec(location.hash)?.[1] ?? null;

/** Takes the code out of the address: it holds once. */
export function useInvitation(): null {
  history.replaceState(history.state, '', location.pathname + location.search);
  return null;
}
