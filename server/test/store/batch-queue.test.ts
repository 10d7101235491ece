import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { createBatchQueue, type WriteOutcome } from '../../src/store/batch-queue.ts';
import { depth } from '../support/depth.ts';

interface Commit {
  writes: readonly string[];
  /** Lets the commit succeed. A write that begins with "bad" is refused, the others answer with their name. */
  finish(): void;
  fail(error: unknown): void;
}

/** A group commit whose commits wait until the test lets them go on. */
function createHeld(limits: { batchMax?: number; queueMax?: number; runningMax?: number } = {}) {
  const commits: Commit[] = [];
  const batches: number[] = [];
  const group = createBatchQueue<string, string>({
    run: (writes) =>
      new Promise((resolve, reject) => {
        commits.push({ writes: [...writes], finish: () => resolve(writes.map(outcomeOf)), fail: reject });
      }),
    batchMax: limits.batchMax ?? 100,
    queueMax: limits.queueMax ?? 100,
    runningMax: limits.runningMax,
    onBatch: (size) => batches.push(size),
  });
  return { group, commits, batches, writes: () => commits.map((commit) => commit.writes) };
}

function outcomeOf(write: string): WriteOutcome<string> {
  return write.startsWith('bad') ? { error: new DomainError('overdraft') } : { value: `did ${write}` };
}

/** Lets everything that is ready to go on do so. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function codesOf(writes: Promise<string>[]): Promise<string[]> {
  const results = await Promise.allSettled(writes);
  return results.map((one) =>
    one.status === 'fulfilled' ? one.value : String(one.reason.code ?? one.reason),
  );
}

describe('group commit', () => {
  it('sends a lone write at once, in the same breath', async () => {
    const { group, commits, writes } = createHeld();
    const write = group.submit('a');
    expect(writes()).toEqual([['a']]);
    commits[0]?.finish();
    expect(await write).toBe('did a');
  });

  it('begins the next commit before those of the last one go on', async () => {
    const { group, commits, writes } = createHeld();
    const seen: string[] = [];
    const first = group.submit('a').then(() => seen.push(`a, ${writes().length} begun`));
    const second = group.submit('b').then(() => seen.push(`b, ${writes().length} begun`));
    commits[0]?.finish();
    await first;
    expect(seen).toEqual(['a, 2 begun']);
    commits[1]?.finish();
    await second;
    expect(seen).toEqual(['a, 2 begun', 'b, 2 begun']);
  });

  it('answers only after the commit', async () => {
    const { group, commits } = createHeld();
    let isAnswered = false;
    const write = group.submit('a').then(() => {
      isAnswered = true;
    });
    await settle();
    expect(isAnswered).toBe(false);
    commits[0]?.finish();
    await write;
    expect(isAnswered).toBe(true);
  });

  it('sends what arrives during a commit together in the next, in the order of arrival', async () => {
    const { group, commits, writes, batches } = createHeld();
    const all = [group.submit('a'), group.submit('b'), group.submit('c')];
    await settle();
    all.push(group.submit('d'));
    expect(writes()).toEqual([['a']]);
    commits[0]?.finish();
    await settle();
    expect(writes()).toEqual([['a'], ['b', 'c', 'd']]);
    commits[1]?.finish();
    expect(await Promise.all(all)).toEqual(['did a', 'did b', 'did c', 'did d']);
    expect(batches).toEqual([1, 3]);
  });

  it('has one commit under way at a time', async () => {
    const { group, commits } = createHeld({ batchMax: 1 });
    const all = ['a', 'b', 'c'].map((write) => group.submit(write));
    for (let count = 1; count <= 3; count += 1) {
      await settle();
      expect(commits).toHaveLength(count);
      commits[count - 1]?.finish();
    }
    await Promise.all(all);
  });

  it('is idle again after the last commit: the next lone write goes out at once', async () => {
    const { group, commits, writes } = createHeld();
    const first = group.submit('a');
    commits[0]?.finish();
    await first;
    await settle();
    const second = group.submit('b');
    expect(writes()).toEqual([['a'], ['b']]);
    commits[1]?.finish();
    expect(await second).toBe('did b');
  });

  it('loses no write that arrives just as a commit ends', async () => {
    const { group, commits, writes } = createHeld();
    const second = group.submit('a').then(() => group.submit('b'));
    commits[0]?.finish();
    await settle();
    expect(writes()).toEqual([['a'], ['b']]);
    commits[1]?.finish();
    expect(await second).toBe('did b');
  });

  it('never makes a batch larger than its bound', async () => {
    const { group, commits, writes } = createHeld({ batchMax: 3 });
    const all = Array.from('abcdefgh', (write) => group.submit(write));
    for (let index = 0; index < 4; index += 1) {
      commits[index]?.finish();
      await settle();
    }
    expect(writes().map((batch) => batch.join(''))).toEqual(['a', 'bcd', 'efg', 'h']);
    expect(await Promise.all(all)).toEqual(Array.from('abcdefgh', (write) => `did ${write}`));
  });

  it('fails a refused write alone, not its neighbours', async () => {
    const { group, commits } = createHeld();
    const all = codesOf(['x', 'a', 'bad', 'b'].map((write) => group.submit(write)));
    commits[0]?.finish();
    await settle();
    commits[1]?.finish();
    expect(await all).toEqual(['did x', 'did a', 'overdraft', 'did b']);
  });

  it('fails all writes of a commit that failed, with its error, and goes on with later ones', async () => {
    const { group, commits } = createHeld({ batchMax: 2 });
    const all = codesOf(['a', 'b', 'c', 'd'].map((write) => group.submit(write)));
    commits[0]?.finish();
    await settle();
    commits[1]?.fail(new DomainError('store_unavailable'));
    await settle();
    commits[2]?.finish();
    expect(await all).toEqual(['did a', 'store_unavailable', 'store_unavailable', 'did d']);
    const next = group.submit('e');
    commits[3]?.finish();
    expect(await next).toBe('did e');
  });

  it('fails the writes that a commit did not report on, instead of leaving them without an answer', async () => {
    const group = createBatchQueue<string, string>({
      run: async () => [],
      batchMax: 10,
      queueMax: 10,
    });
    await expect(group.submit('a')).rejects.toThrow('reported on fewer writes');
  });

  it('survives a commit that throws instead of rejecting', async () => {
    let isBroken = true;
    const group = createBatchQueue<string, string>({
      run(writes) {
        if (isBroken) {
          throw new DomainError('store_unavailable');
        }
        return Promise.resolve(writes.map(outcomeOf));
      },
      batchMax: 10,
      queueMax: 10,
    });
    await expect(group.submit('a')).rejects.toMatchObject({ code: 'store_unavailable' });
    isBroken = false;
    expect(await group.submit('b')).toBe('did b');
  });

  it('commits all the same when the callback that counts batches throws', async () => {
    const group = createBatchQueue<string, string>({
      run: async (writes) => writes.map(outcomeOf),
      batchMax: 1,
      queueMax: 10,
      onBatch() {
        throw new Error('the counter is broken');
      },
    });
    expect(await Promise.all(['a', 'b'].map((write) => group.submit(write)))).toEqual(['did a', 'did b']);
    await group.drain();
    expect(await group.submit('c')).toBe('did c');
  });

  it('refuses writes beyond the queue’s bound at once as overloaded, and takes new ones when there is room', async () => {
    const { group, commits } = createHeld({ queueMax: 2 });
    const all = ['a', 'b', 'c'].map((write) => group.submit(write));
    const refused = group.submit('d');
    await expect(refused).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
    commits[0]?.finish();
    await settle();
    all.push(group.submit('e'));
    commits[1]?.finish();
    await settle();
    commits[2]?.finish();
    expect(await Promise.all(all)).toEqual(['did a', 'did b', 'did c', 'did e']);
    expect(commits.flatMap((commit) => commit.writes)).not.toContain('d');
  });

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

  it('commits every write once and in order, whatever the timing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        async (scheduler, pauses, batchMax, runningMax) => {
          const committed: string[] = [];
          let underWay = 0;
          const group = createBatchQueue<string, string>({
            async run(writes) {
              // Batches are committed in the order of their `run` calls, as in the writer thread.
              committed.push(...writes);
              underWay += 1;
              expect(underWay).toBeLessThanOrEqual(runningMax);
              await scheduler.schedule(Promise.resolve());
              underWay -= 1;
              return writes.map(outcomeOf);
            },
            batchMax,
            runningMax,
            queueMax: 1_000,
          });
          const names = pauses.map((_, index) => `w${index}`);
          const all: Promise<string>[] = [];
          const submitting = (async () => {
            for (const [index, pause] of pauses.entries()) {
              for (let turn = 0; turn < pause; turn += 1) {
                await scheduler.schedule(Promise.resolve());
              }
              all.push(group.submit(`w${index}`));
            }
          })();
          await scheduler.waitFor(submitting.then(() => Promise.all(all)));
          await group.drain();
          expect(committed).toEqual(names);
        },
      ),
      { numRuns: depth({ normal: 50, deep: 100 }) },
    );
  });
});
