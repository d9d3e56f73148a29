// The headline: one sentence that says whose turn it is and what can be done.
import { moduleOf } from '../../games/registry';
import type { Table } from '../server/api';
import type { View } from '../server/views';
import { say } from './words.svelte';

export function headline(view: View, table: Table, names: string[], asked: boolean, roll: boolean): string {
  if (table.status === 'paused') return say('turn.paused');
  if (table.status === 'over' || view.phase === 'over') return say('turn.over');
  if (table.status === 'ended')
    return say(
      view.seat >= 0 && table.seats.filter((seat) => seat.kind === 'person').length === 1
        ? 'turn.gaveup'
        : 'turn.ended',
    );
  const module = moduleOf(table.game);
  if (roll) return module.rolling(view) ?? say('turn.roll');
  if (asked) return module.headline(view, names) ?? say('turn.yours');
  return (
    module.waiting(view) ??
    (view.turn == null ? say('turn.wait') : say('turn.other', { name: names[view.turn] }))
  );
}
