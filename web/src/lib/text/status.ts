// Whose turn, what can I do, what does it cost: one sentence.
import { chariotName, fieldOf } from '../../games/ben-hvrt/chariots';
import { capital } from './labels';
import type { View } from '../server/views';
import type { Table } from '../server/api';
import { say } from './words.svelte';

export function headline(view: View, table: Table, names: string[], asked: boolean, roll: boolean): string {
  if (table.status === 'paused') return say('turn.paused');
  if (table.status === 'over' || view.phase === 'over') return say('turn.over');
  if (table.status === 'ended') return say('turn.ended');
  if (roll) return say('turn.roll');
  if (view.game === 'ur') {
    if (asked) return view.phase === 'jump' || view.roll === 0 ? say('turn.ur.jump') : say('turn.ur.move', { n: view.roll ?? '' });
  } else if (view.game === 'ave-caesar') {
    if (asked) return say(view.phase === 'bottom' ? 'turn.ave.bottom' : 'turn.ave.move');
  } else if (asked) {
    if (view.offer) return say('turn.ben.answer', { name: names[view.offer.maker] });
    if (view.window) return say('turn.ben.window', { window: say(`ben-hvrt.window.${view.window}`) });
    if (view.lot) return say(view.lot.bid === null ? 'turn.ben.lot' : 'turn.ben.bid', { n: view.lot.bid ?? view.lot.price });
    if (view.due) return say('turn.ben.due');
    if (view.move?.stage === 'steps') return capital(say('turn.ben.steps', { chariot: chariotName(view.move.chariot, fieldOf(view), names, view.seat), n: view.move.steps }));
    if (view.phase === 'market') return say('turn.ben.market');
    return say('turn.yours');
  }
  if (asked) return say('turn.yours');
  if (view.game === 'ben-hvrt' && view.phase === 'race' && view.turn === null) return say('turn.ben.wait');
  return view.turn === null ? say('turn.wait') : say('turn.other', { name: names[view.turn] });
}

export function subline(view: View): string {
  if (view.game === 'ave-caesar')
    return say('sub.ave', { race: view.race, races: view.races, course: say(`ave.course.${view.course}`), direction: view.direction === 'cw' ? '↻' : '↺' });
  if (view.game === 'ben-hvrt') return view.laps ? say('sub.ben', { race: view.race, races: view.races, n: view.laps, phase: say(`ben.phase.${view.phase}`) }) : say('sub.ben.start', { n: view.races });
  return say(`short.ur.${view.rules}`);
}
