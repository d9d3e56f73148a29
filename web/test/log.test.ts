import assert from 'node:assert/strict';
import { beforeEach, test } from 'vitest';
import '../src/games';
import { moduleOf } from '../src/games/registry';
import { settings } from '../src/lib/app/settings.svelte';
import type { Event } from '../src/lib/server/api';
import type { Geometry } from '../src/lib/server/views';
import { logLine } from '../src/lib/text/labels';
import { isTelling, logLines, withContent } from '../src/lib/text/log';
import type { Note } from '../src/lib/text/words.svelte';

const names = ['Ann', 'Bob'];
const note = (id: string, given: Record<string, unknown> = {}): Note => ({ rule: 'UR-1', id, with: given });
let number = 0;
const event = (kind: Event['kind'], seat: number, text: string | null, ...notes: Note[]): Event =>
  ({ number: ++number, kind, seat, text, notes }) as Event;
const place = (space: string): Record<string, unknown> => ({
  place: { id: 'ur.place.plain', with: { step: 4, space } },
});

beforeEach(() => {
  settings.language = 'en';
});

test('a roll and the move after it are one line, and another roll begins another', () => {
  const log = [
    event('chance', 0, 'roll 2', note('ur.why.rolls', { roll: 2 })),
    event('play', 0, '2-4', note('ur.why.lands', place('A1')), note('ur.why.again')),
    event('chance', 0, 'roll 3', note('ur.why.rolls', { roll: 3 })),
    event('play', 0, '0-3', note('ur.why.lands', place('A2'))),
    event('chance', 1, 'roll 0', note('ur.why.rolls', { roll: 0 })),
  ];
  const lines = logLines(log, moduleOf('ur'), 100);
  assert.deepEqual(
    lines.map((line) => line.event.notes?.length),
    [3, 2, 1],
  );
  assert.deepEqual(
    lines.map((line) => line.places),
    [['A1'], ['A2'], []],
  );
  assert.equal(lines[0].number, log[0].number);
});

test('drawn cards and passes have no line, and a heading before them is kept for the next line', () => {
  const ave = moduleOf('ave-caesar');
  const log: Event[] = [
    {
      ...event('chance', 0, 'draw 3', note('ave-caesar.why.draws')),
      section: { race: 2, course: 'blue', direction: 'cw' },
    },
    event('chance', 1, null, note('ave-caesar.why.draws')),
    event('play', 0, '3 A2.1.0', note('ave-caesar.why.drives', { card: 3, ...place('A2.1.0') })),
    event('chance', 0, 'draw 5', note('ave-caesar.why.draws'), note('ave-caesar.why.misses', { seat: 2 })),
  ];
  const lines = logLines(log, ave, 100);
  assert.equal(lines.length, 1);
  assert.deepEqual(lines[0].section, log[0].section);
  assert.deepEqual(
    lines[0].event.notes?.map((one) => one.id),
    ['ave-caesar.why.drives', 'ave-caesar.why.misses'],
  );
  const ben = moduleOf('ben-hvrt');
  assert.equal(isTelling(event('play', 0, 'pass', note('ben-hvrt.why.passes')), ben), false);
  assert.equal(isTelling(event('play', 0, 'pass', note('ben-hvrt.why.drops-out')), ben), true);
  assert.equal(isTelling(event('chance', 0, null, note('ben-hvrt.why.dealt')), ben), false);
  assert.equal(isTelling({ number: 1, kind: 'asked' } as Event, ben), false);
});

test('of the steps of a drive only the last place is told, with everything that came of them', () => {
  const log = [
    event('chance', 0, 'die 3', note('ben-hvrt.why.rolls', { die: 3 })),
    event('play', 0, 'step 1.1', note('ben-hvrt.why.steps', place('1.1'))),
    event('play', 0, 'step 1.2', note('ben-hvrt.why.steps', place('1.2')), note('ben-hvrt.why.passed')),
    event('play', 0, 'step 1.3', note('ben-hvrt.why.steps', place('1.3'))),
  ];
  const [line, ...others] = logLines(log, moduleOf('ben-hvrt'), 100);
  assert.equal(others.length, 0);
  assert.deepEqual(
    line.event.notes?.map((one) => one.id),
    ['ben-hvrt.why.rolls', 'ben-hvrt.why.passed', 'ben-hvrt.why.steps'],
  );
  assert.deepEqual(line.places, ['1.3']);
});

test('an undo is a line of its own, and so is an event without notes', () => {
  const log = [
    event('play', 0, '0-2', note('ur.why.enter')),
    event('undo', 0, '0-2'),
    event('play', 0, '0-2', note('ur.why.enter')),
    event('play', 0, 'x'),
    event('play', 0, 'y'),
  ];
  assert.equal(logLines(log, moduleOf('ur'), 100).length, 5);
  assert.equal(logLine(log[1], names), 'Ann undoes the move');
});

test('what concerns everybody names nobody', () => {
  const log = [event('chance', 0, null, note('ben-hvrt.why.dealt'), note('ben-hvrt.why.ante', { n: 2 }))];
  const [line] = logLines(log, moduleOf('ben-hvrt'), 100);
  assert.equal(line.event.seat, null);
  assert.equal(logLine(line.event, names).includes('Ann'), false);
});

test('a bribe keeps its content when the turn goes on, and a hidden one has none', () => {
  const ben = moduleOf('ben-hvrt');
  const geometry = {
    game: 'ben-hvrt',
    cards: [{ name: 'Broom', names: { en: 'Broom', fr: 'Balai' } }],
  } as unknown as Geometry;
  const log = [
    event('play', 0, 'bribe 1 Broom 2', note('ben-hvrt.why.bribes')),
    event('play', 0, 'play Veto', note('ben-hvrt.why.rolls', { die: 3 })),
  ];
  const told = (events: Event[]): string[] =>
    logLines(
      events.map((one) => withContent(one, ben, geometry, names)),
      ben,
      100,
    ).map((line) => logLine(line.event, names));
  const [line, ...others] = told(log);
  assert.equal(others.length, 0);
  assert.ok(line.startsWith('Ann offers Bob 2 D to play Broom, '), line);
  assert.ok(told([{ ...log[0], text: null }])[0].startsWith('Ann ben-hvrt.why.bribes'));
});
