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
