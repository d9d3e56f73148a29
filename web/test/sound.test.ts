import { expect, test } from 'vitest';
import '../src/games';
import { soundOf } from '../src/games/module';
import { moduleOf } from '../src/games/registry';

const heard = (game: string, kind: string, ...ids: string[]): string =>
  soundOf({ kind, notes: ids.map((id) => ({ id: `${game}.why.${id}`, with: {} })) } as never, moduleOf(game));

test('an event sounds like what happens in it', () => {
  expect(heard('ave-caesar', 'play', 'drives', 'ave')).toBe('fanfare');
  expect(heard('ave-caesar', 'chance', 'draws')).toBe('card');
  expect(heard('ben-hvrt', 'play', 'drops-out', 'sold')).toBe('hammer');
  expect(heard('ben-hvrt', 'chance', 'rolls')).toBe('dice');
  expect(heard('ur', 'play', 'lands')).toBe('move');
});
