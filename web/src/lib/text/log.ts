// The log as lines: one for each turn, without the events that say nothing.
import type { GameModule } from '../../games/module';
import type { Event } from '../server/api';
import type { Geometry } from '../server/views';
import type { Note } from './words.svelte';

/** A turn of a seat, or something else that happened, as one line. */
export interface Line {
  number: number; // of its first event
  event: Event; // its last event, with the notes of all of them
  section: Record<string, unknown> | null; // a heading before it
  places: string[]; // the spaces that it names
  stepped: boolean; // a bot chose one of its actions
}

/** Returns the space that a note names, in the notation of the board. */
function placeIn(note: Note): string | null {
  const place = note.with?.place as Note | undefined;
  const space = place?.with?.space;
  return typeof space === 'string' ? space : null;
}

const placesIn = (notes: Note[]): string[] => [
  ...new Set(notes.map(placeIn).filter((space) => space !== null)),
];

/** Returns the notes of an event that are worth a line. */
export const tellingNotes = (event: Event, module: GameModule): Note[] =>
  (event.notes ?? []).filter((note) => !module.isIdle(note));

/** Whether an event is worth a line: passes, and cards that are drawn face down, are not. */
export const isTelling = (event: Event, module: GameModule): boolean =>
  event.kind !== 'asked' &&
  (event.kind === 'undo' || !event.notes?.length || tellingNotes(event, module).length > 0);

/** Returns an event with the content of its offer or bribe, if the reader may see it. */
export function withContent(
  event: Event,
  module: GameModule,
  geometry: Geometry | null,
  names: string[],
): Event {
  const what =
    geometry && event.kind === 'play' && event.text
      ? module.composed(event.text, geometry, names, 'log')
      : null;
  if (what === null) return event;
  const [first, ...others] = event.notes ?? [];
  return { ...event, notes: [{ rule: first?.rule, id: 'log.composed', with: { what } }, ...others] };
}

/** Returns the lines of the last events. */
export function logLines(log: Event[], module: GameModule, most: number): Line[] {
  const lines: Line[] = [];
  let section: Record<string, unknown> | null = null;
  for (const event of log) {
    section = event.section ?? section;
    if (!isTelling(event, module)) continue;
    const notes = tellingNotes(event, module);
    const before = lines[lines.length - 1];
    const stepped = event.kind === 'play' && event.by === 'bot';
    if (before && !section && continues(before.event, event, module)) {
      const isDrive = module.isStep(event) && module.isStep(before.event);
      const joined = isDrive
        ? module.joinNotes(before.event.notes ?? [], notes)
        : [...(before.event.notes ?? []), ...notes];
      before.event = { ...event, kind: before.event.kind === 'play' ? 'play' : event.kind, notes: joined };
      before.places = placesIn(joined);
      before.stepped ||= stepped;
    } else
      lines.push({
        number: event.number,
        event: { ...event, notes, seat: notes.length && module.isForAll(notes[0]) ? null : event.seat },
        section,
        places: placesIn(notes),
        stepped,
      });
    section = null;
  }
  return lines.slice(-most);
}

/** Whether an event belongs to the turn of the one before. */
const continues = (before: Event, event: Event, module: GameModule): boolean =>
  event.kind !== 'undo' &&
  before.kind !== 'undo' &&
  event.seat != null &&
  before.seat === event.seat &&
  !!event.notes?.length &&
  !!before.notes?.length &&
  !module.beginsTurn(event);
