// The parts of a module for games that have nothing special there.
import { livery } from '../lib/drawing/liveries';
import type { Geometry, View } from '../lib/server/views';
import { say } from '../lib/text/words.svelte';
import type { GameModule } from './module';

type Optional = Omit<
  GameModule<View, Geometry, unknown>,
  'words' | 'Board' | 'Picture' | 'position' | 'createUi'
>;

export const defaults = {
  taste: null,
  Hand: null,
  Controls: null,
  Reasons: null,
  HeadlineArt: null,
  SeatFacts: null,
  Tools: null,
  RulesArt: null,
  Settings: null,
  keys: [],
  besideFrom: null,
  handBeside: false,
  canZoom: () => false,
  isBoardFirst: () => true,
  showsControls: () => false,
  badge: (seat) => ({ ...livery(seat), shows: 'both' }),
  lineColour: (seat) => livery(seat).fill,
  label: () => null,
  isButton: () => true,
  areButtonsExplained: false,
  isPrimary: () => null,
  explain: () => null,
  brief: () => null,
  composed: () => null,
  headline: () => null,
  waiting: () => null,
  racing: () => [],
  rolling: () => null,
  settled: () => null,
  subline: () => '',
  held: () => null,
  glanceNote: null,
  isIdle: () => false,
  isForAll: () => false,
  beginsTurn: () => false,
  isStep: () => false,
  joinNotes: (before, after) => [...before, ...after],
  section: (section) =>
    Object.entries(section)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
  sounds: {},
  choice: () => null,
  result: (_view, _seat, score) => String(score),
  progress: (_view, _geometry, scores) => scores,
  progressTitle: () => say('chart.score'),
  chartFromZero: true,
  pointsTitle: () => null,
  rolled: () => null,
} satisfies Optional;
