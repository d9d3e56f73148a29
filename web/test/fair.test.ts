import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'vitest';
import { check, pick } from '../src/lib/fair';
import { hex, hmac, sha256 } from '../src/lib/sha256';

test('our SHA-256 is everybody’s, at every length around a block', () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255);
    assert.equal(hex(sha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
  }
});

test('our HMAC is everybody’s, with short and long keys', () => {
  for (const length of [0, 1, 32, 63, 64, 65, 130]) {
    const key = Uint8Array.from({ length }, (_, i) => i ^ 0xa5);
    const message = new TextEncoder().encode('Ave Caesar, ça roule');
    assert.equal(hex(hmac(key, message)), createHmac('sha256', key).update(message).digest('hex'));
  }
});

test('a changed roll and a changed seed are found out', () => {
  const seed = '07'.repeat(32);
  const words = ['', 'été'];
  const outcomes: [string, number][] = [['roll 0', 1], ['roll 1', 3], ['roll 2', 3], ['roll 3', 1]];
  const bytes = new Uint8Array(32).fill(7);
  const events = Array.from({ length: 20 }, (_, i) => ({ seat: 0, text: pick(bytes, words, i, outcomes), outcomes }));
  const commitment = createHash('sha256').update(bytes).digest('hex');
  assert.deepEqual(check(commitment, seed, words, events), { committed: true, wrong: [], rolls: 20 });
  events[7] = { ...events[7], text: events[7].text === 'roll 0' ? 'roll 1' : 'roll 0' };
  assert.equal(check(commitment, seed, words, events).wrong[0].number, 7);
  assert.equal(check(commitment, '08'.repeat(32), words, events).committed, false);
});
