import { expect, it } from 'vitest';
import { type Board, USUAL_BOARD } from '../../src/domain/board/board.ts';
import { createBoardCache } from '../../src/http/board/board-cache.ts';
import { createTestClock } from '../support/clock.ts';

function boardOf(name: string): Board {
  return { ...USUAL_BOARD, isPublished: true, name, guild: { guildNo: 1, guildId: 'g' } };
}

/** A cache whose boards are made when the test lets them. */
function createHeldCache() {
  const clock = createTestClock();
  const boards = new Map<string, Board>();
  const held: { name: string; release: () => void; fail: () => void }[] = [];
  const cache = createBoardCache({
    published: {
      find(name) {
        const board = boards.get(name) ?? boardOf(name);
        boards.set(name, board);
        return board;
      },
    },
    clock,
    make: ({ name }) =>
      new Promise<{ byteLength: number; at: number }>((resolve, reject) => {
        const at = clock.monotonicMs();
        held.push({
          name,
          release: () => resolve({ byteLength: 1_000, at }),
          fail: () => reject(new Error('no store')),
        });
      }),
  });
  return { cache, clock, held, change: (name: string) => boards.set(name, boardOf(name)) };
}

it('one board is made once for all who wait for it', async () => {
  const { cache, held } = createHeldCache();
  const visitors = Array.from({ length: 100 }, () => cache.find('one'));
  await Promise.resolve();
  expect(held).toHaveLength(1);
  held[0]?.release();
  expect(new Set(await Promise.all(visitors)).size).toBe(1);
  expect(cache.find('one')).not.toBeInstanceOf(Promise);
});

it('two boards are made at a time, and the others in turn', async () => {
  const { cache, held } = createHeldCache();
  const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => cache.find(name)));
  await Promise.resolve();
  expect(held.map(({ name }) => name)).toEqual(['a', 'b']);
  held[1]?.release();
  await expect.poll(() => held.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
  held[0]?.fail();
  await expect(all).rejects.toThrow('no store');
  await expect.poll(() => held.length).toBe(4);
  held[2]?.release();
  await expect.poll(() => held.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('more than a thousand waiting boards are refused', async () => {
  const { cache } = createHeldCache();
  const many = Array.from({ length: 1_003 }, (_, index) => cache.find(`board-${index}`));
  for (const one of many) {
    Promise.resolve(one).catch(() => {});
  }
  await expect(many.at(-1)).rejects.toMatchObject({ code: 'overloaded' });
});

it('an old board is sent while the next is made, and never one of other settings or older than two minutes', async () => {
  const { cache, clock, held, change } = createHeldCache();
  const first = Promise.resolve(cache.find('one'));
  await Promise.resolve();
  held[0]?.release();
  const made = await first;
  clock.advance(61_000);
  expect(cache.find('one')).toBe(made);
  expect(cache.find('one')).toBe(made);
  await Promise.resolve();
  expect(held).toHaveLength(2);
  held[1]?.fail();
  await expect.poll(() => cache.find('one') === made && held.length).toBe(3);
  clock.advance(61_000);
  const later = cache.find('one');
  expect(later).toBeInstanceOf(Promise);
  held[2]?.release();
  await later;
  change('one');
  expect(cache.find('one')).toBeInstanceOf(Promise);
});
