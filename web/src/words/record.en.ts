// Records from files, in English.
import type { Message } from '../lib/text/message';

export const record = {
  'home.record': 'Open a record',
  'home.record.text': 'A game that was kept in a file: step through it, have it reviewed, check its dice.',
  'record.title': 'Open a record',
  'record.one': 'A record',
  'record.file': 'The file',
  'record.text': 'A record is a whole game in a file: what a finished table lets you download, or what “quadriga play --record” writes. It is read line by line, by the rules, and nothing of it is kept.',
  'record.choose': 'Choose a record',
  'record.drop': 'or drop the file anywhere on this page.',
  'record.another': 'Open another record',
  'record.bad': '{name} is not a record of a game by the rules.',
  'record.empty': '{name} is empty.',
  'record.utf8': '{name} is not text in UTF-8, so it cannot be a record. Records are files that end in .jsonl.',
  'record.large': '{name} would be {n} MB on its way; a record may be {most} MB.',
  'record.cut': 'This record stops before the game was over.',
  'record.games': 'Games in this file',
  'record.game': '{n} of {total}',
  'record.unfair': 'Its dice cannot be checked: they were not fair ones, or the seed is not in the file.',
} satisfies Record<string, Message>;
