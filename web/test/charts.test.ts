import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../src/games';
import { moduleOf } from '../src/games/registry';
import { luck, progress, scores, type Point } from '../src/lib/replay/charts';
import type { Geometry, View } from '../src/lib/server/views';

/** A point of a chart; a test gives only the fields of the view that its chart reads. */
const point = (view: object, scores: number[] = []): Point => ({
  view: { seat: -1, ...view } as View,
  scores,
});
const geometry = (game: string, more: object = {}): Geometry => ({ game, ...more });

test('a marker that is off has walked the whole path, whose length the server says', () => {
  for (const path_length of [24, 15, 17]) {
    const view = {
      off: [2, 0],
      board: [
        { seat: 0, step: 3 },
        { seat: 1, step: 5 },
      ],
    };
    assert.deepEqual(progress([point(view)], 2, 'ur', geometry('ur', { path_length })), [
      [2 * path_length + 3],
      [5],
    ]);
  }
});

test('a chariot that is out stays where it was, and one that has finished has nothing to go', () => {
  const at = (...chariots: [string, number | null][]): Point =>
    point({ races: 1, chariots: chariots.map(([status, to_go]) => ({ status, to_go })) });
  const points = [
    at(['racing', null], ['racing', null]),
    at(['racing', 80], ['racing', 80]),
    at(['racing', 5], ['racing', 33]),
    at(['finished', null], ['out', null]),
  ];
  assert.deepEqual(progress(points, 2, 'ave-caesar', geometry('ave-caesar')), [
    [80, 80, 5, 0],
    [80, 80, 33, 33],
  ]);
});

test('purses are Ducats, and points are drawn where there are several races', () => {
  assert.deepEqual(
    progress([point({ players: [{ purse: 100 }, { purse: 90 }] })], 2, 'ben-hvrt', geometry('ben-hvrt')),
    [[100], [90]],
  );
  assert.deepEqual(scores([point({}, [0, 0]), point({}, [6, 4])], 2), [
    [0, 6],
    [0, 4],
  ]);
  const title = (races: number): string | null => moduleOf('ave-caesar').pointsTitle(point({ races }).view);
  assert.deepEqual([title(1), title(2)], [null, 'Tournament points']);
});

test('the chart of any other game shows its scores', () => {
  assert.deepEqual(
    progress([point({}, [0, 1]), point({}, [2, 1])], 2, 'somebody-elses', geometry('somebody-elses')),
    [
      [0, 2],
      [1, 1],
    ],
  );
});

test('the luck of the dice counts rolls and no other outcome of chance', () => {
  assert.deepEqual(luck([{ 'roll 3': 2, 'roll 0': 1 }, {}], 'ur'), [
    { rolls: 3, mean: 2 },
    { rolls: 0, mean: 0 },
  ]);
  assert.deepEqual(luck([{ 'die 6': 1, 'deal Owl': 4 }], 'ben-hvrt'), [{ rolls: 1, mean: 6 }]);
  assert.deepEqual(luck([{ 'draw 6': 9 }], 'ave-caesar'), [{ rolls: 0, mean: 0 }]);
});
