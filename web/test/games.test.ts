import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, test } from 'vitest';
import '../src/games';
import { lines, tree } from '../src/games/generic/tree';
import { allModules, moduleOf } from '../src/games/registry';
import { settings } from '../src/lib/app/settings.svelte';
import type { Geometry, View } from '../src/lib/server/views';

const SOURCE = join(import.meta.dirname, '..', 'src');
const IDS = ['ur', 'ave-caesar', 'ben-hvrt'];
const OWN = new RegExp(`^games/(${IDS.join('|')})/|^games/index\\.ts$`);

const sources = (folder = SOURCE): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.(ts|svelte)$/.test(entry.name) ? [path] : [];
  });

beforeEach(() => {
  settings.language = 'en';
});

test('only the registry and the folders of the games know the ids of games', () => {
  const named = /['"`.]ur['"`]|ave-caesar|ben-hvrt/;
  const shared = sources()
    .map((path) => relative(SOURCE, path))
    .filter((path) => !OWN.test(path));
  assert.ok(shared.length > 50, String(shared.length));
  assert.deepEqual(
    shared.filter((path) => named.test(readFileSync(join(SOURCE, path), 'utf8'))),
    [],
  );
});

test('no file switches off a check of its types', () => {
  const off = /eslint-disable|@ts-ignore|@ts-nocheck|: any[;,)=[]|\bas any[;,)]/;
  assert.deepEqual(
    sources().filter((path) => off.test(readFileSync(path, 'utf8'))),
    [],
  );
});

test('every game of ours has a module, and any other game shares one', () => {
  assert.equal(new Set(IDS.map(moduleOf)).size, IDS.length);
  assert.equal(moduleOf('chess'), moduleOf('highcard'));
  assert.ok(!IDS.map(moduleOf).includes(moduleOf('chess')));
  assert.equal(allModules().length, IDS.length + 1);
});

test('an unknown game has its actions as buttons with their notation', () => {
  const other = moduleOf('chess');
  const view: View = { seat: 0, turn: 0 };
  assert.equal(other.label('e2e4', view, { game: 'chess' }, []), 'e2e4');
  assert.equal(other.isButton('e2e4'), true);
  assert.equal(other.result(view, 1, 3), '3');
});

test('the view of an unknown game is a tree of readable names and values', () => {
  const view = {
    game: 'x',
    seat: 1,
    turn: 0,
    to_go: [3, null],
    open: true,
    players: [{ name: 'A', hand: [] }],
    deep: { a: { b: 2 } },
  };
  assert.deepEqual(lines(tree(view, ['Ann', 'Bob'])), [
    'Turn: Ann',
    'Seen by: Bob',
    'to go: 3, –',
    'open: yes',
    'players, 1, name: A',
    'players, 1, hand: –',
    'deep, a, b: 2',
  ]);
  assert.deepEqual(lines(tree({ seat: -1 }, ['Ann'])), ['Turn: –', 'Seen by: spectator']);
});

test('in French a colon stands apart from the name of a field', () => {
  settings.language = 'fr';
  assert.deepEqual(lines(tree({ seat: 0, turn: 0 }, ['Ann'])), [
    'Au tour de\u00a0: Ann',
    'Vu par\u00a0: Ann',
  ]);
});

test('the badges of Ur are dark or light as the markers of the table', () => {
  const looks = (dark_seat: number): string[] =>
    [0, 1].map((seat) => moduleOf('ur').badge(seat, { game: 'ur', dark_seat } as Geometry).fill);
  const [dark, light] = looks(0);
  assert.notEqual(dark, light);
  assert.deepEqual(looks(1), [light, dark]);
  assert.equal(moduleOf('ur').badge(0).fill, dark);
});
