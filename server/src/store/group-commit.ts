import { DomainError } from '../domain/errors.ts';
import { tell } from './tell.ts';

/** What became of one write of a batch. */
export type WriteOutcome<Result> = { value: Result } | { error: DomainError };

export interface GroupCommitOptions<Write, Result> {
  /** Commits the writes in one transaction, in order, and reports on each. Rejects when none was committed. */
  commit: (writes: readonly Write[]) => Promise<readonly WriteOutcome<Result>[]>;
  /** Writes of one commit at most. A function is asked before each commit. */
  batchMax: number | (() => number);
  /**
   * Commits under way at most, one unless told otherwise. `commit` must then keep the order in which it is called. Another one
   * begins beside the first only when as many writes wait as it may have, so that few writes do not become many commits.
   */
  underWayMax?: number | undefined;
  /** Writes beyond this many waiting are refused at once with `overloaded`. */
  queueMax: number;
  /** Told of each commit before it begins, to count it. What it throws is ignored. */
  onBatch?: ((size: number) => void) | undefined;
  /** Called whenever nothing is waiting or under way any more, before anything else can be submitted. */
  onIdle?: (() => void) | undefined;
}

export interface GroupCommit<Write, Result> {
  /** Resolves when the commit that holds the write is on disk. */
  submit(write: Write): Promise<Result>;
  /** Resolves when nothing is waiting or under way. */
  drain(): Promise<void>;
}

interface Waiting<Write, Result> {
  write: Write;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Puts writes that arrive while a commit is under way into the next one together. A lone write goes out at
 * once: there is no timer, and load alone makes batches grow.
 */
export function createGroupCommit<Write, Result>(
  options: GroupCommitOptions<Write, Result>,
): GroupCommit<Write, Result> {
  const { underWayMax = 1 } = options;
  let queue: Waiting<Write, Result>[] = [];
  let underWay = 0;
  let idle: PromiseWithResolvers<void> | undefined;

  /** Commits a batch, and says how to tell those who wait for it. */
  async function commitBatch(batch: readonly Waiting<Write, Result>[]): Promise<() => void> {
    tell(options.onBatch, batch.length);
    try {
      const outcomes = await options.commit(batch.map((waiting) => waiting.write));
      return () => {
        for (const [index, waiting] of batch.entries()) {
          settle(waiting, outcomes[index]);
        }
      };
    } catch (error) {
      return () => {
        for (const waiting of batch) {
          waiting.reject(error);
        }
      };
    }
  }

  async function run(batch: readonly Waiting<Write, Result>[]): Promise<void> {
    const tell = await commitBatch(batch);
    underWay -= 1;
    // Those who wait go on in a moment, and by then the next commit is under way: neither waits for the other.
    tell();
    begin();
    if (underWay === 0) {
      idle?.resolve();
      idle = undefined;
      options.onIdle?.();
    }
  }

  /** Begins as many commits as may be under way. */
  function begin(): void {
    while (queue.length > 0 && underWay < underWayMax) {
      const size = typeof options.batchMax === 'number' ? options.batchMax : options.batchMax();
      if (underWay > 0 && queue.length < size) {
        return;
      }
      const batch = queue.slice(0, size);
      queue = queue.slice(size);
      underWay += 1;
      void run(batch);
    }
  }

  return {
    submit(write) {
      if (queue.length >= options.queueMax) {
        return Promise.reject(new DomainError('overloaded', { retryAfterSeconds: 1 }));
      }
      return new Promise<Result>((resolve, reject) => {
        queue.push({ write, resolve, reject });
        begin();
      });
    },
    async drain() {
      if (underWay > 0) {
        idle ??= Promise.withResolvers();
        await idle.promise;
      }
    },
  };
}

function settle<Write, Result>(
  waiting: Waiting<Write, Result>,
  outcome: WriteOutcome<Result> | undefined,
): void {
  if (outcome === undefined) {
    waiting.reject(new Error('the store reported on fewer writes than it was given'));
  } else if ('error' in outcome) {
    waiting.reject(outcome.error);
  } else {
    waiting.resolve(outcome.value);
  }
}
