import assert from 'node:assert/strict';
import { beforeEach, test } from 'vitest';
import '../src/games';
import { cardAndNumbers } from '../src/games/ben-hvrt/actions';
import { chariotName, lapName, which } from '../src/games/ben-hvrt/chariots';
import type { Card } from '../src/games/ben-hvrt/view';
import { settings } from '../src/lib/app/settings.svelte';
import { noteText } from '../src/lib/text/labels';

const names = ['Scorpus', 'Diocles', 'Uranius'];
const two = [0, 1, 2, 0, 1, 2];
const one = [0, 1, 2];

beforeEach(() => {
  settings.language = 'en';
});

test('a chariot is called by its player, and with two each it is said which', () => {
  assert.equal(chariotName(1, one, names), 'Diocles');
  assert.equal(chariotName(1, two, names), 'Diocles’s first chariot');
  assert.equal(chariotName(4, two, names), 'Diocles’s second chariot');
  assert.deepEqual([which(1, one), which(1, two), which(4, two)], [0, 1, 2]);
  settings.language = 'fr';
  assert.equal(chariotName(4, two, names), 'le second char de Diocles');
  assert.equal(chariotName(5, two, names), 'le second char d’Uranius');
});

test('a message within a message is told with names too', () => {
  const inner = { id: 'ben-hvrt.chariot.second', with: { seat: 2 } };
  assert.equal(
    noteText({ id: 'window.roll', with: { chariot: inner, n: 3 } }, names),
    'Diocles’s second chariot rolled 3.',
  );
  assert.equal(
    noteText(
      { id: 'window.roll', with: { chariot: { id: 'ben-hvrt.chariot.of', with: { seat: 2 } }, n: 3 } },
      names,
    ),
    'Diocles rolled 3.',
  );
});

test('people count laps from I, on the grid too', () => {
  assert.deepEqual([0, 1, 2, 6].map(lapName), ['I', 'I', 'II', 'VI']);
});

test('the name of a card may end in a number: the longest name that fits is meant', () => {
  const cards = ['Add 1', 'Orangutan', 'Loaded Die'].map((name) => ({ name }) as Card);
  assert.deepEqual(cardAndNumbers('Add 1', cards), { name: 'Add 1', numbers: [] });
  assert.deepEqual(cardAndNumbers('Add 1 4', cards), { name: 'Add 1', numbers: [4] });
  assert.deepEqual(cardAndNumbers('Orangutan 3 4', cards), { name: 'Orangutan', numbers: [3, 4] });
});
