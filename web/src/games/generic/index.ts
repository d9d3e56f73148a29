// Any game that has no module of its own: its view as text, its actions as buttons in notation.
import type { Geometry, View } from '../../lib/server/views';
import { defaults } from '../defaults';
import type { GameModule } from '../module';
import Board from './Board.svelte';
import Controls from './Controls.svelte';
import Picture from './Picture.svelte';
import { lines, tree } from './tree';
import { en } from './words/en';
import { fr } from './words/fr';

export const generic: GameModule<View, Geometry, null> = {
  ...defaults,
  words: { en, fr },
  createUi: () => null,
  Board,
  Controls,
  Picture,
  label: (text) => text,
  areButtonsExplained: true,
  position: (view, _geometry, names) => lines(tree(view, names)),
};
