import assert from 'node:assert/strict';
import { test } from 'vitest';
import { fill, holes, spaced, typeset, type Message } from '../src/lib/text/message';
import '../src/games';
import { allModules } from '../src/games/registry';
import { en } from '../src/words/en';
import { fr } from '../src/words/fr';

const catalogues: { en: Record<string, Message>; fr: Record<string, Message> }[] = [
  { en, fr },
  ...allModules().map((module) => module.words),
];
const english: Record<string, Message> = Object.assign({}, ...catalogues.map((words) => words.en));
const french: Record<string, Message> = Object.assign({}, ...catalogues.map((words) => words.fr));

test('both languages have the same messages, in the same order', () => {
  assert.deepEqual(Object.keys(french), Object.keys(english));
});

test('no game repeats a message of the page or of another game', () => {
  const ids = catalogues.flatMap((words) => Object.keys(words.en));
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
  );
});

test('both languages have the same holes', () => {
  for (const id of Object.keys(english)) assert.deepEqual(holes(french[id]), holes(english[id]), id);
});

test('no message is empty or left in the other language', () => {
  const alike = [
    'Pages',
    'Options',
    'Bot',
    'Ducats',
    'Pause',
    'Tables',
    'Place',
    'Place {place}',
    'Invitations',
    'Masters',
    'Blitz',
    'Maintenance',
    'Buchholz',
    'Buchholz −1',
    'Minutes',
    'Score',
    'Points',
    'Total',
  ];
  for (const id of Object.keys(english)) {
    const [one, two] = [english[id], french[id]].map((message) =>
      typeof message === 'string' ? message : message.other,
    );
    assert.ok(one.trim() && two.trim(), id);
    if (one === two)
      assert.ok(alike.includes(one) || /^[\W\d{}a-z]*$/.test(one) || one.startsWith('Pot '), `${id}: ${one}`);
  }
});

test('apostrophes are typographic in both languages, and quotation marks are those of the language', () => {
  for (const [id, message] of [...Object.entries(english), ...Object.entries(french)])
    for (const text of typeof message === 'string' ? [message] : [message.one, message.other])
      assert.ok(!/['"`´‘]/.test(text), `${id}: ${text}`);
  for (const [id, message] of Object.entries(french)) assert.ok(!/[“”]/.test(JSON.stringify(message)), id);
});

test('what others have written is set with the same apostrophes, and quoted things are left alone', () => {
  assert.equal(typeset("l'allée, qu'{seat} n'a {n}'x"), 'l’allée, qu’{seat} n’a {n}’x');
  assert.equal(typeset("'nonsense' is not legal"), "'nonsense' is not legal");
  assert.equal(fill('{card}', { card: { en: "Jupiter's Wrath", fr: "L'Ire" } }, 'fr'), 'L’Ire');
});

test('in French no mark stands alone at the beginning of a line', () => {
  assert.equal(
    spaced('Ave Caesar ! « A » : 5 %, etc. ; ou ?', 'fr'),
    'Ave Caesar\u00a0! «\u00a0A\u00a0»\u00a0: 5\u00a0%, etc.\u00a0; ou\u00a0?',
  );
  assert.equal(spaced('left : alone', 'en'), 'left : alone');
});

test('nothing is singular in French, and plural in English', () => {
  assert.equal(fill(french['learn.count'], { n: 0, total: 12 }, 'fr'), '0 leçon terminée sur 12');
  assert.equal(fill(french['learn.count'], { n: 2, total: 12 }, 'fr'), '2 leçons terminées sur 12');
  assert.equal(fill(english['learn.count'], { n: 0, total: 12 }, 'en'), '0 of 12 lessons finished');
});

test('French elides before a name that begins with a vowel or an h, English never', () => {
  const second = 'le second char de {seat}';
  assert.equal(fill(second, { seat: 'Diocles' }, 'fr'), 'le second char de Diocles');
  assert.equal(fill(second, { seat: 'Uranius' }, 'fr'), 'le second char d’Uranius');
  assert.equal(fill(second, { seat: 'Élodie' }, 'fr'), 'le second char d’Élodie');
  assert.equal(
    fill('plus que {name}, mode {n}', { name: 'Hélène', n: 'auto' }, 'fr'),
    'plus qu’Hélène, mode auto',
  );
  assert.equal(fill('de {name}', { name: 'Anna' }, 'en'), 'de Anna');
});

test('a message is filled by number, list, language and quotation', () => {
  assert.equal(fill({ one: '{n} card', other: '{n} cards' }, { n: 1 }, 'en'), '1 card');
  assert.equal(fill({ one: '{n} carte', other: '{n} cartes' }, { n: 0 }, 'fr'), '0 carte');
  assert.equal(
    fill('{who}: {what!r} {{x}}', { who: ['A', 'B'], what: { en: 'Owl', fr: 'Hibou' } }, 'fr'),
    'A, B: « Hibou » {x}',
  );
});
