// Messages about meeting people.
import type { Message } from '../lib/text/message';

export const lobby = {
  'open.title': 'Open tables',
  'open.none': 'Nobody is waiting right now. Open a table, and others will see it here.',
  'open.make': 'Open a table',
  'open.free': { one: '{n} free seat', other: '{n} free seats' },
  'open.fill': { one: 'bots join in {n} minute', other: 'bots join in {n} minutes' },
  'open.join': 'Sit down',
  'open.yours': 'Your table',
  'open.on': 'yes',
  'open.off': 'no',
  'open.option': '{name}: {value}',
  'open.clock.move': '{n} s a move',
  'open.clock.player': '{n} s a player',
  'open.lists': 'Open to everybody: listed on the first page, and anyone may join and watch',
  'open.bots': 'Free seats',
  'open.bots.never': 'wait for people',
  'open.bots.after': { one: 'go to bots after {n} minute', other: 'go to bots after {n} minutes' },
  'live.title': 'Games to watch',
  'live.watch': 'Watch',
  'live.present': { one: '{n} person is here', other: '{n} people are here' },
} satisfies Record<string, Message>;
