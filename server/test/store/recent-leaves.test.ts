import { expect, it } from 'vitest';
import type { PostedRun } from '../../src/store/seal/posted-leaves.ts';
import { createRecentLeaves, type RecentLeaves } from '../../src/store/seal/recent-leaves.ts';

const runOf = (guildNo: number, first: number, count: number): PostedRun => [
  guildNo,
  first,
  count,
  `id ${first + count - 1}`,
];

/** Adds runs of hashes of 32 equal bytes, each that of its number. */
function add(recent: RecentLeaves, ...runs: readonly PostedRun[]): void {
  const numbers = runs.flatMap(([, first, count]) =>
    Array.from({ length: count }, (_, index) => first + index),
  );
  recent.add({
    runs: [...runs],
    hashes: Uint8Array.from(numbers.flatMap((number) => Array.from({ length: 32 }, () => number))),
  });
}

/** The numbers of the hashes of each run, which begin with its own number and end with that of its last id. */
function take(recent: RecentLeaves, guildNo: number, after: number, through: number): number[][] {
  return recent.take({ guildNo, after, through }).map(({ first, lastId, hashes }) => {
    const found = Array.from({ length: hashes.length / 32 }, (_, index) => hashes[index * 32] ?? Number.NaN);
    expect([found[0], `id ${found.at(-1)}`]).toEqual([first % 256, lastId]);
    return found;
  });
}

it('each guild has its own, in the order of the numbers', () => {
  const recent = createRecentLeaves();
  add(recent, runOf(1, 5, 2), runOf(2, 1, 1));
  add(recent, runOf(1, 3, 2));
  expect(take(recent, 1, 2, 9)).toEqual([
    [3, 4],
    [5, 6],
  ]);
  expect(take(recent, 2, 0, 9)).toEqual([[1]]);
  expect(take(recent, 1, 2, 9)).toEqual([]);
});

it('a range leaves runs that end later for the next one, and drops what is before it', () => {
  const recent = createRecentLeaves();
  add(recent, runOf(1, 1, 2), runOf(1, 3, 3), runOf(1, 6, 3));
  expect(take(recent, 1, 3, 7)).toEqual([[4, 5]]);
  expect(take(recent, 1, 7, 99)).toEqual([[8]]);
  expect(take(recent, 1, 0, 99)).toEqual([]);
});

it('a result has a buffer of its own, because a buffer crosses threads as a whole', () => {
  const recent = createRecentLeaves();
  add(recent, runOf(1, 3, 4), runOf(2, 1, 1));
  const [run] = recent.take({ guildNo: 1, after: 4, through: 6 });
  expect(run?.hashes.buffer.byteLength).toBe(64);
});

it('of the guild that waits longest hashes are dropped when there are too many', () => {
  const recent = createRecentLeaves();
  for (const guildNo of [1, 2]) {
    recent.add({ runs: [runOf(guildNo, 1, 60_000)], hashes: new Uint8Array(60_000 * 32) });
  }
  add(recent, runOf(1, 61, 2));
  expect(take(recent, 1, 0, 70_000)).toEqual([[61, 62]]);
  expect(recent.take({ guildNo: 2, after: 0, through: 70_000 })[0]?.hashes).toHaveLength(60_000 * 32);
});

it('many short runs are too many sooner', () => {
  const recent = createRecentLeaves();
  add(recent, runOf(1, 1, 1));
  const runs = Array.from({ length: 20_000 }, (_, index) => runOf(2, 1 + 2 * index, 1));
  recent.add({ runs, hashes: new Uint8Array(20_000 * 32) });
  expect(take(recent, 1, 0, 9)).toEqual([]);
});
