// The Royal Game of Ur.
import { livery } from '../../lib/drawing/liveries';
import { say } from '../../lib/text/words.svelte';
import { defaults } from '../defaults';
import type { GameModule } from '../module';
import Board from './board/Board.svelte';
import HeadlineDice from './HeadlineDice.svelte';
import PathTools from './PathTools.svelte';
import Picture from './Picture.svelte';
import Reasons from './Reasons.svelte';
import RulesArt from './RulesArt.svelte';
import SeatFacts from './SeatFacts.svelte';
import { brief, headline, movedSteps, position, progress, rolled, settled } from './text';
import { UrUi } from './ui.svelte';
import type { UrGeometry, UrView } from './view';
import { en } from './words/en';
import { fr } from './words/fr';

const DARK = { fill: '#2b2622', ink: '#f3dfae' };
const LIGHT = { fill: '#f7f1e2', ink: '#6b2a1f' };

export const ur: GameModule<UrView, UrGeometry, UrUi> = {
  ...defaults,
  words: { en, fr },
  taste: { minutes: 10, level: 1 },
  createUi: (isTaught) => new UrUi(isTaught),
  Board,
  Reasons,
  HeadlineArt: HeadlineDice,
  SeatFacts,
  Tools: PathTools,
  keys: ['keys.ur.t'],
  Picture,
  RulesArt,
  badge: (seat, geometry) => ({
    ...livery(seat),
    ...(seat === (geometry?.dark_seat ?? 0) ? DARK : LIGHT),
    shows: 'letter',
  }),
  lineColour: (seat) => ['var(--ink)', 'var(--accent)'][seat % 2],
  label: (text) => movedSteps(text)?.join(' → ') ?? null,
  isButton: () => false,
  brief,
  headline,
  waiting: (view) => (view.phase === 'opening' ? say('turn.ur.opening') : null),
  rolling: (view) => (view.phase === 'opening' ? say('turn.ur.opening.roll') : null),
  settled,
  subline: (view) => say(`short.ur.${view.rules}`),
  position,
  result: (view, seat) => say('over.ur', { off: view.off[seat], n: view.markers }),
  progress,
  progressTitle: () => say('chart.ur'),
  beginsTurn: (event) => rolled(event.text ?? '') !== null,
  rolled,
  sounds: { capture: 'capture' },
};
