import assert from 'node:assert/strict';
import { test } from 'vitest';
import '../src/games';
import { moduleOf } from '../src/games/registry';
import type { View } from '../src/lib/server/views';
import { arrange, type Arrangement, type Contents } from '../src/parts/table/play/arrangement';

const RACE = { seat: 0, phase: 'race', window: null } as View;
const AUCTION = { seat: 0, phase: 'auction' } as View;

const at = (
  [width, height]: [number, number],
  game: string,
  view: View,
  changes: Partial<Contents> = {},
): Arrangement =>
  arrange(width, height, moduleOf(game), {
    view,
    seats: 4,
    isOver: false,
    isCoached: false,
    isFirstRace: false,
    hasChat: false,
    ...changes,
  });

const PHONE: [number, number] = [390, 844];
const PHONE_ON_ITS_SIDE: [number, number] = [844, 390];
const LAPTOP: [number, number] = [1280, 800];
const LARGE: [number, number] = [1920, 1080];

test('on a phone everything stands below the board', () => {
  const phone = at(PHONE, 'ave-caesar', RACE, { isCoached: true });
  assert.deepEqual([phone.low, phone.wide, phone.beside, phone.handBeside], [false, false, false, false]);
  assert.deepEqual([phone.coachAt, phone.dense], ['centre', false]);
});

test('on a phone on its side controls and hand stand beside the board, players and log below', () => {
  const low = at(PHONE_ON_ITS_SIDE, 'ave-caesar', RACE);
  assert.deepEqual([low.low, low.beside, low.handBeside], [true, true, true]);
  assert.deepEqual([low.playersBeside, low.logBeside, low.slim], [false, false, false]);
});

test('there the coach takes a part of the board, or the place of the players where there is no hand', () => {
  const coached = { isCoached: true };
  assert.equal(at(PHONE_ON_ITS_SIDE, 'ave-caesar', RACE, coached).coachAt, 'centre');
  assert.equal(at(PHONE_ON_ITS_SIDE, 'ave-caesar', RACE, { ...coached, isFirstRace: true }).coachAt, 'below');
  assert.equal(at(PHONE_ON_ITS_SIDE, 'ur', RACE).playersBeside, true);
  const ur = at(PHONE_ON_ITS_SIDE, 'ur', RACE, coached);
  assert.deepEqual([ur.coachAt, ur.playersBeside], ['aside', false]);
});

test('the board comes first in a race of Ben Hvrt, the cards in its auction', () => {
  assert.equal(at(LAPTOP, 'ben-hvrt', RACE).cardsFirst, false);
  const auction = at(LAPTOP, 'ben-hvrt', AUCTION);
  assert.deepEqual([auction.cardsFirst, auction.beside], [true, false]);
  assert.equal(at(LAPTOP, 'ben-hvrt', AUCTION, { isOver: true }).cardsFirst, false);
});

test('the column beside the board is dense where the window is too low for it', () => {
  assert.equal(at(LARGE, 'ave-caesar', RACE).dense, false);
  assert.equal(at(LAPTOP, 'ave-caesar', RACE, { seats: 2 }).dense, false);
  assert.equal(at(LAPTOP, 'ave-caesar', RACE, { seats: 6, isCoached: true }).dense, true);
  assert.equal(at(LAPTOP, 'ave-caesar', RACE, { seats: 6, isCoached: true, isOver: true }).dense, false);
});

test('after the end players and log stand beside the board on every screen', () => {
  const over = at(PHONE_ON_ITS_SIDE, 'ave-caesar', RACE, { isOver: true });
  assert.deepEqual([over.playersBeside, over.logBeside], [true, true]);
});
