import assert from 'node:assert/strict';
import { test } from 'vitest';
import { StepCache, PAGE, type Source } from '../src/lib/replay/stepCache';
import type { Step } from '../src/lib/server/api';

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** A game of so many steps, and the requests for them. */
function game(total: number): { source: Source; asked: [number, number][] } {
  const asked: [number, number][] = [];
  const source: Source = async (seat, first, count) => {
    asked.push([seat, first]);
    const numbers = Array.from({ length: Math.max(0, Math.min(count, total - first)) }, (_, i) => first + i);
    const steps = numbers.map(
      (number) =>
        ({
          event: number ? { number, kind: 'play', seat: 0, text: `${seat}` } : null,
          view: { number, seat },
          scores: [],
        }) as unknown as Step,
    );
    return { total, first, steps };
  };
  return { source, asked };
}
const opened = (
  source: Source,
  seat = -1,
): { cache: StepCache; faults: unknown[]; changes: () => number } => {
  const faults: unknown[] = [];
  let changes = 0;
  const cache = new StepCache(
    source,
    seat,
    () => changes++,
    (fault) => faults.push(fault),
  );
  return { cache, faults, changes: () => changes };
};
const numberAt = (cache: StepCache, at: number): unknown =>
  (cache.at(at)?.view as unknown as { number: number } | undefined)?.number;

test('every step of a long game can be looked at, from its address or one by one', async () => {
  const total = 54_321;
  const { source, asked } = game(total);
  const { cache } = opened(source);
  cache.moveTo(40_000);
  await settled();
  assert.equal(cache.total, total);
  assert.equal(numberAt(cache, 40_000), 40_000);
  assert.deepEqual(
    asked.map(([, first]) => first),
    [40_000, 40_000 + PAGE, 40_000 - PAGE],
  );
  for (let at = 0; at < total; at += 1) {
    if (numberAt(cache, at) === undefined) {
      cache.moveTo(at);
      await settled();
    }
    if (at % PAGE === 0) cache.moveTo(at);
    assert.equal(numberAt(cache, at), at);
    if (at === 12_000) at = total - 3000; // the steps between are like the rest
  }
  cache.moveTo(total - 1);
  await settled();
  assert.equal(numberAt(cache, total - 1), total - 1);
  assert.equal(cache.at(total), null);
  assert.equal(cache.at(0), null); // dropped long ago
});

test('a step beyond the end shows the last page', async () => {
  const { source } = game(250);
  const { cache, faults } = opened(source);
  cache.moveTo(90_000);
  await settled();
  assert.equal(cache.total, 250);
  assert.equal(numberAt(cache, 249), 249);
  assert.deepEqual(faults, []);
});

test('steps that are passed quickly are not fetched, only the last one is', async () => {
  const { source, asked } = game(100_000);
  const { cache } = opened(source);
  cache.moveTo(0);
  for (let at = 500; at <= 90_000; at += 500) cache.moveTo(at);
  await settled();
  assert.equal(numberAt(cache, 90_000), 90_000);
  assert.ok(asked.length <= 5, String(asked));
});

test('another seat fetches everything anew, and late answers for the old one are dropped', async () => {
  const { source } = game(300);
  const { cache } = opened(source, 0);
  cache.moveTo(150);
  cache.viewFrom(1);
  await settled();
  for (const at of [50, 150, 250]) assert.equal((cache.at(at)?.view as unknown as { seat: number }).seat, 1);
});

test('the events go back as far as the steps have been fetched', async () => {
  const { source } = game(1000);
  const { cache } = opened(source);
  cache.moveTo(510);
  await settled();
  assert.deepEqual(
    cache.eventsUpTo(510, 3).map((event) => event.number),
    [508, 509, 510],
  );
  assert.equal(cache.eventsUpTo(510, 5000)[0].number, 400);
  cache.moveTo(5);
  await settled();
  assert.deepEqual(
    cache.eventsUpTo(2, 9).map((event) => event.number),
    [1, 2],
  );
  assert.deepEqual(cache.eventsUpTo(0, 9), []);
});

test('an error is reported, and the next request tries again', async () => {
  const { source } = game(300);
  let broken = true;
  const { cache, faults } = opened((...asked) =>
    broken ? Promise.reject(new Error('away')) : source(...asked),
  );
  cache.moveTo(0);
  await settled();
  assert.equal(faults.length, 1);
  broken = false;
  cache.moveTo(0);
  await settled();
  assert.equal(numberAt(cache, 0), 0);
});
