// Messages about a game without a board of its own, in French.
import type { Message } from '../../../lib/text/message';
import type { en } from './en';

export const fr: Record<keyof typeof en, Message> = {
  'generic.board': 'La position',
  'generic.colon': ' : ',
  'generic.turn': 'Au tour de',
  'generic.yes': 'oui',
  'generic.no': 'non',
  'generic.notation': 'Écrire le coup en notation',
  'generic.send': 'Jouer',
};
