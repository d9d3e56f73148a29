// The page's own routing: the path and what follows the question mark.

export const place = $state({ path: location.pathname, query: location.search, hash: location.hash });

function read(): void {
  place.path = location.pathname;
  place.query = location.search;
  place.hash = location.hash;
}

addEventListener('popstate', read);

export function go(to: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  read();
  scrollTo(0, 0);
  queueMicrotask(() => document.getElementById('main')?.focus({ preventScroll: true }));
}

/** Changes the address without a new entry in the history: a replay's position, say. */
export function amend(to: string): void {
  history.replaceState(null, '', to);
}

/** For links: the page changes without being fetched anew. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest('a');
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  if (link.pathname.startsWith('/api/')) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
}
