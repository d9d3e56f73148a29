// Messages about a game without a board of its own, in English.
import type { Message } from '../../../lib/text/message';

export const en = {
  'generic.board': 'The position',
  'generic.colon': ': ',
  'generic.turn': 'Turn',
  'generic.yes': 'yes',
  'generic.no': 'no',
  'generic.notation': 'Write the action in notation',
  'generic.send': 'Play',
} satisfies Record<string, Message>;
