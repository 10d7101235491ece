import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { createBatchQueue } from '../../src/store/batch-queue.ts';
import { depth } from '../support/depth.ts';
import { codesOf, createHeld, outcomeOf, settle } from './held-queue.ts';

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

  it('commits every write once and in order, whatever the timing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 40, size: 'max' }),
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
