// Records from files, in English.
import type { Message } from '../lib/text/message';

export const record = {
  'home.record': 'Open a record',
  'home.record.text': 'A game saved in a file: step through it, review it, check its dice.',
  'record.title': 'Open a record',
  'record.one': 'Record',
  'record.file': 'File',
  'record.text':
    'A record is a whole game in a file: download one from a finished table, or save one from a game in the terminal. It is checked against the rules and not stored.',
  'record.choose': 'Choose a record',
  'record.drop': 'or drop the file anywhere on this page.',
  'record.another': 'Open another record',
  'record.bad': '{name} is not a valid record.',
  'record.empty': '{name} is empty.',
  'record.utf8': '{name} is not UTF-8 text, so it cannot be a record. Records end in .jsonl.',
  'record.large': '{name} is too large: {n} MB; a record may have {most} MB.',
  'record.cut': 'This record ends before the game is over.',
  'record.games': 'Games in this file',
  'record.game': '{n} of {total}',
  'record.unfair': 'The dice cannot be checked: they were not verifiable, or the seed is missing.',
} satisfies Record<string, Message>;
