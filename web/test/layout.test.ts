import { expect, test } from 'vitest';
import { layout, type Box } from '../src/games/ur/board/layout';
import type { Point } from '../src/lib/server/views';

const HALO = 34; // the radius of a marker that can move

const covers = ([x, y]: Point, box: Box): boolean =>
  x + HALO > box.x && x - HALO < box.x + box.width && y + HALO > box.y && y - HALO < box.y + box.height;

for (const tall of [false, true])
  for (const near of [0, 1])
    test(`no marker lies on the word of a tray (${tall ? 'tall' : 'wide'}, side ${near})`, () => {
      for (let markers = 1; markers <= 7; markers++) {
        const plan = layout(tall, markers, near);
        for (const { seat, label } of plan.trays)
          for (let count = 1; count <= markers; count++)
            for (let i = 0; i < count; i++) {
              expect(covers(plan.home(seat, i), label)).toBe(false);
              expect(covers(plan.off(seat, i, count), label)).toBe(false);
            }
      }
    });

test('the side of the reader is at the bottom, or on the right of a tall screen', () => {
  for (const near of [0, 1]) {
    expect(layout(false, 7, near).home(near, 0)[1]).toBeGreaterThan(
      layout(false, 7, near).home(1 - near, 0)[1],
    );
    expect(layout(true, 7, near).home(near, 0)[0]).toBeGreaterThan(
      layout(true, 7, near).home(1 - near, 0)[0],
    );
  }
});
