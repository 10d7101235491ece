import { expect, it } from 'vitest';
import type { NewTransaction } from '../../src/domain/model.ts';
import { createLeafNotes, type LeafNotes } from '../../src/store/seal/posted-leaves.ts';
import { aTransaction } from '../contract/specimens.ts';

const GUILD = { guildNo: 1, guildId: 'g1' };

/** Notes posts with these numbers. The id of each is its number. */
function note(notes: LeafNotes, numbers: readonly number[], changes: Partial<NewTransaction> = {}): void {
  for (const number of numbers) {
    const post = { ...aTransaction(GUILD), transactionId: `id ${number}`, ...changes };
    notes.note(post, { number, balanceUnits: 1, createdAtMs: 1 });
  }
}

it('a run ends with its commit, so that the last post of a run shows that all are in the store', () => {
  const notes = createLeafNotes();
  note(notes, [1, 2]);
  notes.commit();
  note(notes, [3, 4]);
  notes.commit();
  expect(notes.hash(100)).toBe(false);
  const taken = notes.take();
  expect(taken?.runs).toEqual([
    [1, 1, 2, 'id 2'],
    [1, 3, 2, 'id 4'],
  ]);
  expect(taken?.hashes).toHaveLength(4 * 32);
  expect(notes.take()).toBeUndefined();
});

it('posts that were not committed are in no run', () => {
  const notes = createLeafNotes();
  note(notes, [1]);
  notes.forget();
  note(notes, [2]);
  notes.hash(100);
  expect(notes.take()).toBeUndefined();
  notes.commit();
  notes.hash(100);
  expect(notes.take()?.runs).toEqual([[1, 2, 1, 'id 2']]);
});

it('a post whose key is known by its number alone divides a run', () => {
  const notes = createLeafNotes();
  note(notes, [1]);
  note(notes, [2], { keyNo: 7 });
  note(notes, [3], { keyNo: 7, keyId: 'key' });
  notes.commit();
  notes.hash(100);
  expect(notes.take()?.runs).toEqual([
    [1, 1, 1, 'id 1'],
    [1, 3, 1, 'id 3'],
  ]);
});

it('some are hashed at a time', () => {
  const notes = createLeafNotes();
  note(notes, [1, 2, 3]);
  notes.commit();
  expect(notes.hash(2)).toBe(true);
  expect(notes.take()?.runs).toEqual([[1, 1, 2, 'id 2']]);
  expect(notes.hash(2)).toBe(false);
  expect(notes.take()?.runs).toEqual([[1, 3, 1, 'id 3']]);
});

it('after a post that cannot be hashed comes the next one', () => {
  const notes = createLeafNotes();
  note(notes, [1]);
  // No transaction has such a time.
  notes.note(aTransaction(GUILD), { number: 2, balanceUnits: 1, createdAtMs: Number.NaN });
  note(notes, [3]);
  notes.commit();
  expect(() => notes.hash(100)).toThrow();
  expect(notes.hash(100)).toBe(false);
  expect(notes.take()?.runs).toEqual([
    [1, 1, 1, 'id 1'],
    [1, 3, 1, 'id 3'],
  ]);
});

it('a commit is dropped when too many posts wait', () => {
  const notes = createLeafNotes();
  const from = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);
  note(notes, from(1, 9_999));
  notes.commit();
  note(notes, [10_000]);
  notes.commit();
  note(notes, [10_001]);
  notes.commit();
  notes.hash(20_000);
  expect(notes.take()?.runs.map(([, first, count]) => [first, count])).toEqual([
    [1, 9_999],
    [10_000, 1],
  ]);
});
