import { expect, test } from 'vitest';
import type { Trigger } from '../src/lib/learn/course';
import type { Event } from '../src/lib/server/api';
import { heard, holds } from '../src/lib/learn/triggers';

const trigger = (given: Partial<Trigger>): Trigger => ({ note: '', by: '', legal: '', view: {}, ...given });
const event = (seat: number | null, ...ids: string[]): Event => ({
  number: 1,
  kind: 'play',
  seat,
  text: null,
  notes: ids.map((id) => ({ id })),
});

test('a star in a legal action stands for anything, and nothing else is special', () => {
  expect(holds(trigger({ legal: '* finish' }), {}, ['6 finish'])).toBe(true);
  expect(holds(trigger({ legal: '* ALLEY.*' }), {}, ['6 ALLEY.0.1'])).toBe(true);
  expect(holds(trigger({ legal: '* ALLEY.*' }), {}, ['6 ALLEYS'])).toBe(false);
  expect(holds(trigger({ legal: '*-24' }), {}, ['23-24', '0-1'])).toBe(true);
  expect(holds(trigger({ legal: '*-24' }), {}, ['23-2', '0-1'])).toBe(false);
  expect(holds(trigger({ legal: '*' }), {}, [])).toBe(false);
});

test('values of the view are found by their paths', () => {
  const view = { phase: 'race', roll: 0, chariots: [{ lap: 2, coin: true }] };
  expect(holds(trigger({ view: { phase: 'race', roll: 0 } }), view, [])).toBe(true);
  expect(holds(trigger({ view: { 'chariots.0.lap': 2, 'chariots.0.coin': true } }), view, [])).toBe(true);
  expect(holds(trigger({ view: { 'chariots.1.lap': 2 } }), view, [])).toBe(false);
  expect(holds(trigger({}), null, [])).toBe(true);
});

test('an effect counts for the seat that did it', () => {
  const captured = trigger({ note: 'capture', by: 'you' });
  expect(heard(captured, 'ur', event(0, 'ur.why.lands', 'ur.why.capture'), 0)).toBe(true);
  expect(heard(captured, 'ur', event(1, 'ur.why.capture'), 0)).toBe(false);
  expect(heard(trigger({ note: 'capture', by: 'other' }), 'ur', event(1, 'ur.why.capture'), 0)).toBe(true);
  expect(heard(trigger({ note: 'misses' }), 'ave-caesar', event(null, 'ave-caesar.why.misses'), 0)).toBe(
    true,
  );
  expect(heard(trigger({}), 'ur', event(0, 'ur.why.capture'), 0)).toBe(false);
  expect(holds(captured, {}, [])).toBe(false);
});
