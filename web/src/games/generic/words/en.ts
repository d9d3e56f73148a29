// What the page says about a game that it has no board for, in English; fr.ts has the French.
import type { Message } from '../../../lib/text/message';

export const en = {
  'generic.board': 'The position',
  'generic.turn': 'Turn',
  'generic.yes': 'yes',
  'generic.no': 'no',
  'generic.notation': 'Write the action in notation',
  'generic.send': 'Play',
} satisfies Record<string, Message>;
