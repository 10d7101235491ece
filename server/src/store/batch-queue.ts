import { DomainError } from '../domain/errors.ts';
import { reportFigure } from './report-figure.ts';

/** The result of one item of a batch. */
export type WriteOutcome<Result> = { value: Result } | { error: DomainError };

export interface BatchQueueOptions<Item, Result> {
  /** Runs a batch and returns an outcome for each item, in their order. Rejects when nothing of it was done. */
  run: (items: readonly Item[]) => Promise<readonly WriteOutcome<Result>[]>;
  /** The largest number of items in a batch. A function is called before each batch. */
  batchMax: number | (() => number);
  /**
   * The largest number of batches that run at once; one by default. With more, `run` must keep the order of its calls. A second batch
   * starts beside the first only when it is full, so that few items do not become many batches.
   */
  runningMax?: number | undefined;
  /** When this many items wait, further ones are refused with `overloaded`. */
  queueMax: number;
  /** Called with the size of each batch before it runs. Its failures are ignored. */
  onBatch?: ((size: number) => void) | undefined;
  /** Called when the last batch has ended and nothing waits, before anything else can be submitted. */
  onIdle?: (() => void) | undefined;
}

export interface BatchQueue<Item, Result> {
  /** Resolves with the item's result once its batch has run. */
  submit(item: Item): Promise<Result>;
  /** Resolves when nothing waits and no batch runs. */
  drain(): Promise<void>;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Items that arrive while a batch runs are run together in the next batch. A single item runs at once: there is no
 * timer, and batches grow only under load. The writer commits each batch once.
 */
export function createBatchQueue<Item, Result>(
  options: BatchQueueOptions<Item, Result>,
): BatchQueue<Item, Result> {
  const { runningMax = 1 } = options;
  let queue: Waiting<Item, Result>[] = [];
  let running = 0;
  let idle: PromiseWithResolvers<void> | undefined;

  /** Runs a batch and returns a function that settles the promises of its items. */
  async function runBatch(batch: readonly Waiting<Item, Result>[]): Promise<() => void> {
    reportFigure(options.onBatch, batch.length);
    try {
      const outcomes = await options.run(batch.map((waiting) => waiting.item));
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

  async function process(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    const settleAll = await runBatch(batch);
    running -= 1;
    // Callers resume in a later microtask, when the next batch is already running: neither waits for the other.
    settleAll();
    start();
    if (running === 0) {
      idle?.resolve();
      idle = undefined;
      options.onIdle?.();
    }
  }

  /** Starts as many batches as may run. */
  function start(): void {
    while (queue.length > 0 && running < runningMax) {
      const size = typeof options.batchMax === 'number' ? options.batchMax : options.batchMax();
      if (running > 0 && queue.length < size) {
        return;
      }
      const batch = queue.slice(0, size);
      queue = queue.slice(size);
      running += 1;
      void process(batch);
    }
  }

  return {
    submit(item) {
      if (queue.length >= options.queueMax) {
        return Promise.reject(new DomainError('overloaded', { retryAfterSeconds: 1 }));
      }
      return new Promise<Result>((resolve, reject) => {
        queue.push({ item, resolve, reject });
        start();
      });
    },
    async drain() {
      if (running > 0) {
        idle ??= Promise.withResolvers();
        await idle.promise;
      }
    },
  };
}

function settle<Item, Result>(
  waiting: Waiting<Item, Result>,
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
