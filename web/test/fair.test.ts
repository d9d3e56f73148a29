import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'vitest';
import { check, pick } from '../src/lib/replay/fair';

test('an outcome is what the HMAC of seed, words and number says', () => {
  const seed = Uint8Array.from({ length: 32 }, (_, i) => i ^ 0xa5);
  const words = ['', 'Ave Caesar, ça roule'];
  // Sixteen divides 2^128: no retry.
  const outcomes: [string, number][] = Array.from({ length: 16 }, (_, i) => [`roll ${i}`, 1]);
  for (let number = 0; number < 50; number++) {
    const count = Buffer.alloc(12);
    count.writeBigUInt64BE(BigInt(number));
    const message = Buffer.concat([Buffer.from('quadriga/1\0' + JSON.stringify(words) + '\0'), count]);
    const digest = createHmac('sha256', seed).update(message).digest();
    assert.equal(pick(seed, words, number, outcomes), `roll ${digest[15] % 16}`);
  }
});

test('a changed roll and a changed seed are found out', () => {
  const seed = '07'.repeat(32);
  const words = ['', 'été'];
  const outcomes: [string, number][] = [
    ['roll 0', 1],
    ['roll 1', 3],
    ['roll 2', 3],
    ['roll 3', 1],
  ];
  const bytes = new Uint8Array(32).fill(7);
  const events = Array.from({ length: 20 }, (_, i) => ({
    seat: 0,
    text: pick(bytes, words, i, outcomes),
    outcomes,
  }));
  const commitment = createHash('sha256').update(bytes).digest('hex');
  assert.deepEqual(check(commitment, seed, words, events), { committed: true, wrong: [], rolls: 20 });
  events[7] = { ...events[7], text: events[7].text === 'roll 0' ? 'roll 1' : 'roll 0' };
  assert.equal(check(commitment, seed, words, events).wrong[0].number, 7);
  assert.equal(check(commitment, '08'.repeat(32), words, events).committed, false);
});
