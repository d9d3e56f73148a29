// The lessons that were finished on this device.
const KEY = 'quadriga.lessons';

function read(): Record<string, string[]> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept !== null ? (kept as Record<string, string[]>) : {};
  } catch {
    return {};
  }
}

const finished: Record<string, string[]> = $state(read());

export const isFinished = (game: string, lesson: string): boolean =>
  finished[game]?.includes(lesson) ?? false;

export const hasFinishedAny = (): boolean => Object.values(finished).some((lessons) => lessons.length > 0);

export function finish(game: string, lesson: string): void {
  if (isFinished(game, lesson)) return;
  finished[game] = [...(finished[game] ?? []), lesson];
  try {
    localStorage.setItem(KEY, JSON.stringify(finished));
  } catch {
    /* only until the page is left, then */
  }
}
