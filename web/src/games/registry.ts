// The modules of the games by id. Other files ask here and never compare ids.
import { addWords } from '../lib/text/words.svelte';
import type { Geometry, View } from '../lib/server/views';
import type { GameModule } from './module';

const modules = new Map<string, GameModule>();
let fallback: GameModule | null = null;

/** Forgets what kind of view a module takes: the server sends a view together with the id of its game. */
const erased = <V extends View, G extends Geometry, U>(module: GameModule<V, G, U>): GameModule =>
  module as unknown as GameModule;

export function register<V extends View, G extends Geometry, U>(
  id: string,
  module: GameModule<V, G, U>,
): void {
  modules.set(id, erased(module));
  addWords(module.words);
}

/** Sets the module of every game that has none of its own. */
export function registerFallback<V extends View, G extends Geometry, U>(module: GameModule<V, G, U>): void {
  fallback = erased(module);
  addWords(module.words);
}

export function moduleOf(game: string): GameModule {
  const found = modules.get(game) ?? fallback;
  if (!found) throw new Error('No game is registered: import games/index first.');
  return found;
}

/** The ids of the games that have a module of their own, in their order. */
export const gameIds = (): string[] => [...modules.keys()];

/** All modules, the fallback last. */
export const allModules = (): GameModule[] => [...modules.values(), ...(fallback ? [fallback] : [])];
