import assert from 'node:assert/strict';
import { test } from 'vitest';
import { inline } from '../src/lib/text/markdown';

test('the mark of a house ruling and the number of a rule are parts of their own', () => {
  assert.deepEqual(inline('It never has two.† *BH-5.3*'), [
    { kind: 'text', text: 'It never has two.' },
    { kind: 'ruling', text: '†' },
    { kind: 'text', text: ' ' },
    { kind: 'rule', text: 'BH-5.3' },
  ]);
  assert.deepEqual(inline('**†** marks a **house** ruling'), [
    { kind: 'ruling', text: '†' },
    { kind: 'text', text: ' marks a ' },
    { kind: 'strong', text: 'house' },
    { kind: 'text', text: ' ruling' },
  ]);
});
