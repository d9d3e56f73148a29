// Ben Hvrt.
import { livery } from '../../lib/drawing/liveries';
import { say } from '../../lib/text/words.svelte';
import { defaults } from '../defaults';
import type { GameModule } from '../module';
import { composed, isButton, isPrimary, label } from './actions';
import Board from './board/Board.svelte';
import Controls from './controls/Controls.svelte';
import Hand from './cards/Hand.svelte';
import Picture from './Picture.svelte';
import Reasons from './controls/Reasons.svelte';
import RulesArt from './RulesArt.svelte';
import SeatFacts from './SeatFacts.svelte';
import Settings from './Settings.svelte';
import {
  cardTerm,
  headline,
  held,
  isForAll,
  isIdle,
  isStep,
  joinNotes,
  position,
  rolled,
  section,
  subline,
  waiting,
} from './text';
import { BenUi } from './ui.svelte';
import type { BenGeometry, BenView } from './view';
import { en } from './words/en';
import { fr } from './words/fr';

export const benHvrt: GameModule<BenView, BenGeometry, BenUi> = {
  ...defaults,
  words: { en, fr },
  taste: { minutes: 45, level: 3 },
  createUi: () => new BenUi(),
  Board,
  Hand,
  Controls,
  Reasons,
  SeatFacts,
  Picture,
  RulesArt,
  Settings,
  keys: ['keys.f', 'keys.ben.arrows', 'keys.ben.space', 'keys.ben.react', 'keys.ben.limit'],
  besideFrom: 900,
  canZoom: (view) => view.phase === 'race',
  isBoardFirst: (view) => view.phase === 'race' || view.phase === 'over',
  showsControls: (view) => Boolean(view.lot || view.offer || view.due),
  badge: (seat) => ({ ...livery(seat), shows: 'emblem' }), // the letters are those of the start squares
  label,
  isButton,
  isPrimary,
  composed,
  explain: cardTerm,
  headline,
  waiting,
  racing: (view) =>
    view.phase === 'race'
      ? [...new Set(view.chariots.filter((each) => each.racing).map((each) => each.seat))]
      : [],
  subline,
  position,
  held,
  isForAll,
  isIdle,
  isStep,
  joinNotes,
  section,
  sounds: {
    sold: 'hammer',
    unsold: 'hammer',
    buys: 'coin',
    bids: 'coin',
    keeps: 'coin',
    bribed: 'coin',
    'paid-out': 'coin',
    dealt: 'card',
    draws: 'card',
    'turns-up': 'card',
    fits: 'card',
    plays: 'card',
    'plays-value': 'card',
    'plays-on': 'card',
    uses: 'card',
  },
  result: (_view, _seat, score) => say('ben-hvrt.ducats', { n: score }),
  progress: (view) => view.players.map((player) => player.purse),
  progressTitle: () => say('chart.ben-hvrt'),
  chartFromZero: false,
  rolled,
};
