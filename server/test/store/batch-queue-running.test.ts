import { describe, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { createBatchQueue } from '../../src/store/batch-queue.ts';
import { codesOf, createHeld, outcomeOf, settle } from './held-queue.ts';

describe('group commit', () => {
  describe('with two commits under way', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);

    it('begins the second beside the first once as many writes wait as it may have', async () => {
      const { group, commits, writes } = createHeld({ batchMax: 2, runningMax: 2 });
      const all = names(2).map((write) => group.submit(write));
      expect(writes()).toEqual([['w0']]);
      all.push(group.submit('w2'));
      expect(writes()).toEqual([['w0'], ['w1', 'w2']]);
      all.push(...['w3', 'w4', 'w5'].map((write) => group.submit(write)));
      expect(commits).toHaveLength(2);
      commits[0]?.finish();
      await settle();
      expect(writes()).toEqual([['w0'], ['w1', 'w2'], ['w3', 'w4']]);
      commits[1]?.finish();
      await settle();
      expect(commits).toHaveLength(3);
      commits[2]?.finish();
      await settle();
      commits[3]?.finish();
      expect(await Promise.all(all)).toEqual(names(6).map((write) => `did ${write}`));
    });

    it('fails the writes of one without touching those of the other', async () => {
      const { group, commits } = createHeld({ batchMax: 2, runningMax: 2 });
      const all = codesOf(names(3).map((write) => group.submit(write)));
      commits[0]?.fail(new DomainError('store_unavailable'));
      await settle();
      commits[1]?.finish();
      expect(await all).toEqual(['store_unavailable', 'did w1', 'did w2']);
    });

    it('is drained when both are done', async () => {
      const { group, commits } = createHeld({ batchMax: 2, runningMax: 2 });
      const all = names(3).map((write) => group.submit(write));
      let isDrained = false;
      const drained = group.drain().then(() => {
        isDrained = true;
      });
      commits[1]?.finish();
      await settle();
      expect(isDrained).toBe(false);
      commits[0]?.finish();
      await drained;
      expect(await Promise.all(all)).toEqual(names(3).map((write) => `did ${write}`));
    });

    it('asks for the size of each batch', async () => {
      let size = 1;
      const batches: number[] = [];
      const group = createBatchQueue<string, string>({
        run: async (writes) => writes.map(outcomeOf),
        batchMax: () => size,
        queueMax: 100,
        onBatch: (count) => batches.push(count),
      });
      const all = names(7).map((write) => group.submit(write));
      size = 3;
      await Promise.all(all);
      expect(batches).toEqual([1, 3, 3]);
    });
  });

  describe('drain', () => {
    it('resolves at once when nothing is under way', async () => {
      const { group } = createHeld();
      await expect(group.drain()).resolves.toBeUndefined();
    });

    it('waits for the commit under way and for all that is waiting, failed ones too', async () => {
      const { group, commits } = createHeld({ batchMax: 1 });
      const answers = codesOf(['a', 'b', 'c'].map((write) => group.submit(write)));
      let isDrained = false;
      const drained = group.drain().then(() => {
        isDrained = true;
      });
      commits[0]?.finish();
      await settle();
      commits[1]?.fail(new DomainError('store_unavailable'));
      await settle();
      expect(isDrained).toBe(false);
      commits[2]?.finish();
      await drained;
      expect(await answers).toEqual(['did a', 'store_unavailable', 'did c']);
    });
  });
});
