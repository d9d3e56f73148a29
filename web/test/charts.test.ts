import assert from 'node:assert/strict';
import { test } from 'vitest';
import { courses, expected, luck, points } from '../src/lib/replay/charts';
import type { Step } from '../src/lib/server/api';

/* eslint-disable @typescript-eslint/no-explicit-any */
const step = (view: any, event: any = null, scores: number[] = []): Step => ({ view, event, scores }) as Step;

test('a marker that is off has walked the whole way of its rule set', () => {
  for (const [rules, way] of [['ben', 24], ['finkel', 15], ['masters', 17], ['blitz', 17]] as const) {
    const view = { game: 'ur', rules, off: [2, 0], board: [{ seat: 0, step: 3 }, { seat: 1, step: 5 }] };
    assert.deepEqual(courses([step(view)], 2), [[2 * way + 3], [5]]);
  }
});

test('a chariot that is out stays where it was, and one that has finished has nothing to go', () => {
  const at = (...chariots: [string, number | null][]): Step => step({ game: 'ave-caesar', races: 1, chariots: chariots.map(([status, to_go]) => ({ status, to_go })) });
  const steps = [at(['racing', null], ['racing', null]), at(['racing', 80], ['racing', 80]), at(['racing', 5], ['racing', 33]), at(['finished', null], ['out', null])];
  assert.deepEqual(courses(steps, 2), [[80, 80, 5, 0], [80, 80, 33, 33]]);
  assert.deepEqual(points(steps, 2), []);
});

test('purses are Ducats, and points are drawn where there are several races', () => {
  assert.deepEqual(courses([step({ game: 'ben-hvrt', players: [{ purse: 100 }, { purse: 90 }] })], 2), [[100], [90]]);
  const race = (scores: number[]): Step => step({ game: 'ave-caesar', races: 2, chariots: [] }, null, scores);
  assert.deepEqual(points([race([0, 0]), race([6, 4])], 2), [[0, 6], [0, 4]]);
});

test('the luck of the dice counts rolls and nothing else that chance does', () => {
  assert.deepEqual(luck([{ 'roll 3': 2, 'roll 0': 1 }, { 'die 6': 1, 'deal Owl': 4 }, {}]), [{ rolls: 3, mean: 2 }, { rolls: 1, mean: 6 }, { rolls: 0, mean: 0 }]);
  assert.equal(expected({ game: 'ur', rules: 'masters' } as any), (1 * 3 + 2 * 3 + 3 + 4) / 8);
  assert.equal(expected({ game: 'ben-hvrt' } as any), 3.5);
});
