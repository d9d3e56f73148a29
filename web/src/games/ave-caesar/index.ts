// Ave Caesar.
import { say } from '../../lib/text/words.svelte';
import { defaults } from '../defaults';
import type { GameModule } from '../module';
import Board from './board/Board.svelte';
import Hand from './Hand.svelte';
import HeadlineBudget from './HeadlineBudget.svelte';
import Picture from './Picture.svelte';
import RulesArt from './RulesArt.svelte';
import SeatFacts from './SeatFacts.svelte';
import {
  brief,
  choice,
  glanceNote,
  headline,
  held,
  isIdle,
  label,
  position,
  progress,
  section,
  subline,
} from './text';
import { AveUi } from './ui.svelte';
import type { AveGeometry, AveView } from './view';
import { en } from './words/en';
import { fr } from './words/fr';

export const aveCaesar: GameModule<AveView, AveGeometry, AveUi> = {
  ...defaults,
  words: { en, fr },
  taste: { minutes: 20, level: 2 },
  createUi: () => new AveUi(),
  Board,
  Hand,
  HeadlineArt: HeadlineBudget,
  SeatFacts,
  Picture,
  RulesArt,
  besideFrom: 1100,
  handBeside: true,
  canZoom: (view) => view.phase !== 'over',
  label,
  isButton: () => false,
  brief,
  racing: (view) =>
    view.phase === 'cut' || view.phase === 'deal' || view.phase === 'over'
      ? []
      : view.chariots.filter((each) => each.status === 'racing').map((each) => each.seat),
  headline,
  subline,
  position,
  held,
  glanceNote,
  isIdle,
  section,
  sounds: { ave: 'fanfare', draws: 'card' },
  choice,
  result: (_view, _seat, score) => say('ave-caesar.points', { n: score }),
  progress,
  progressTitle: () => say('chart.ave-caesar'),
  pointsTitle: (view) => (view.races > 1 ? say('chart.points') : null),
};
