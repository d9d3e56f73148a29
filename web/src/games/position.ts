// The position as text, on request: for screen readers, and for whoever likes it.
import { chariotName, fieldOf, lapName } from './ben-hvrt/chariots';
import { livery } from '../lib/drawing/liveries';
import { capital } from '../lib/text/labels';
import type { BenGeometry, Geometry, View } from '../lib/server/views';
import { inOwn, listed, say } from '../lib/text/words.svelte';

export function position(view: View, geometry: Geometry, names: string[]): string[] {
  if (view.game === 'ur') {
    const lines: string[] = [];
    for (const seat of [0, 1]) {
      const standing = view.board
        .filter((marker) => marker.seat === seat)
        .map((marker) => say(marker.dotted ? 'text.dotted' : 'text.blank', { space: marker.space, step: marker.step }));
      lines.push(
        say('text.ur', { name: names[seat], home: view.home[seat], off: view.off[seat], board: standing.length ? listed(standing) : say('text.nothing') }),
      );
    }
    if (view.roll !== null && view.turn !== null) lines.push(say('text.roll', { name: names[view.turn], n: view.roll }));
    return lines;
  }
  if (view.game === 'ave-caesar') {
    const lines = [say('text.ave', { race: view.race, races: view.races, course: say(`ave.course.${view.course}`), direction: say(`ave.${view.direction}`) })];
    for (const seat of view.order) {
      const chariot = view.chariots[seat];
      lines.push(
        say(chariot.status === 'racing' ? 'text.ave.racing' : 'text.ave.done', {
          name: names[seat],
          letter: livery(seat).letter,
          space: chariot.space ?? '–',
          lap: chariot.lap,
          coin: say(chariot.coin ? 'ave-caesar.coin' : 'ave-caesar.paid'),
          n: chariot.points,
          status: chariot.status === 'racing' ? '' : say(`ave-caesar.status.${chariot.status}`, { place: chariot.place ?? '' }),
        }),
      );
    }
    if (view.hand.length) lines.push(say('text.hand', { cards: view.hand.join(', ') }));
    return lines;
  }
  const cards = (geometry as BenGeometry).cards;
  const named = (name: string): string => inOwn(cards.find((card) => card.name === name)?.names) || name;
  const lines = [say('text.ben', { race: view.race, races: view.races, n: view.laps ?? '?', pot: view.pot, phase: say(`ben.phase.${view.phase}`) })];
  for (const player of view.players) {
    lines.push(say('text.ben.player', { name: names[player.seat], colour: say(`colour.${player.seat % 12}`), purse: player.purse, n: player.cards }));
    for (const chariot of view.chariots.filter((other) => other.seat === player.seat && other.racing))
      lines.push(
        capital(
          say('text.ben.chariot', {
            chariot: chariotName(chariot.number, fieldOf(view), names, view.seat),
            square: chariot.square ?? '',
            lap: lapName(chariot.lap),
            speed: chariot.speed,
          }),
        ),
      );
  }
  if (view.hand.length) lines.push(say('text.hand', { cards: view.hand.map(named).join(', ') }));
  return lines;
}
