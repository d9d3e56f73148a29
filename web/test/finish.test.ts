import { expect, test } from 'vitest';
import { distance, finishPlace } from '../src/games/ave-caesar/board/finish';
import type { Line, Point } from '../src/lib/server/views';

const line: Line = [
  [400, 100],
  [400, 300],
];

for (const tall of [false, true])
  test(`the button of the finish stands clear of the chariots (${tall ? 'tall' : 'wide'})`, () => {
    const chariots: Point[] = [
      [370, 200],
      [370, 140],
      [430, 260],
    ];
    const place = finishPlace({ line }, 0, chariots, tall);
    expect(Math.min(...chariots.map((chariot) => distance(chariot, place, tall)))).toBeGreaterThanOrEqual(30);
  });

test('with nobody near, it stands in the middle of the line', () => {
  expect(finishPlace({ line }, 180, [[900, 900]], false)).toEqual([400, 200]);
});
