import { DomainError } from '../../src/domain/errors.ts';
import { createBatchQueue, type WriteOutcome } from '../../src/store/batch-queue.ts';

export interface Commit {
  writes: readonly string[];
  /** Lets the commit succeed. A write that begins with "bad" is refused, the others answer with their name. */
  finish(): void;
  fail(error: unknown): void;
}

/** A group commit whose commits wait until the test lets them go on. */
export function createHeld(limits: { batchMax?: number; queueMax?: number; runningMax?: number } = {}) {
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

export function outcomeOf(write: string): WriteOutcome<string> {
  return write.startsWith('bad') ? { error: new DomainError('overdraft') } : { value: `did ${write}` };
}

/** Lets everything that is ready to go on do so. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export async function codesOf(writes: Promise<string>[]): Promise<string[]> {
  const results = await Promise.allSettled(writes);
  return results.map((one) =>
    one.status === 'fulfilled' ? one.value : String(one.reason.code ?? one.reason),
  );
}
