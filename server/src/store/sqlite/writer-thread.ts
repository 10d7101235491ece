import { DomainError } from '../../domain/errors.ts';
import type { Store } from '../../domain/ports.ts';
import { createBatchQueue, type WriteOutcome } from '../batch-queue.ts';
import { reportFigure } from '../report-figure.ts';
import type { PostedLeaves } from '../seal/posted-leaves.ts';
import { startWorkerThread, type WorkerThread } from '../worker-thread.ts';
import { toDomainError } from './faults.ts';
import { freeBytes } from './store-file.ts';
import type { WriteOf } from './thread-calls.ts';
import { createWriteHealth, type WriteHealth } from './write-health.ts';
import type { WriterAnswer, WriterRequest, Writes } from './writer.ts';
import { type NamedWrite, packWrites, unpackReplies } from './writer-messages.ts';

const BATCH_MIN = 64;
const BATCH_MAX = 1_000;
/** Writes that a batch may hold for each millisecond that a commit takes. */
const WRITES_PER_COMMIT_MS = 64;
/** Weight of the last commit's duration in the average. */
const SMOOTHING = 0.1;
/** The next batch is sent while one is being written, so that neither thread waits for the other. */
const BATCHES_UNDER_WAY = 2;
const QUEUE_MAX = 20_000;

export interface WriterThread {
  write: WriteOf<Writes>;
  allOrNothing: Store['allOrNothing'];
  /** Truncates the WAL, unless a reader uses it or a transaction is open. */
  truncateWal(): Promise<void>;
  /** Rejects with `store_unavailable` when nothing can be written. */
  checkWritable: WriteHealth['check'];
  /** Commits waiting writes, then ends the thread. */
  close(): Promise<void>;
}

export interface WriterThreadOptions {
  file: string;
  onBatch: (size: number) => void;
  /** Called with the duration of each COMMIT. */
  onCommit: (durationMs: number) => void;
  /** Called with the leaf hashes of posts that were committed before. */
  onLeaves: (leaves: PostedLeaves) => void;
  /** Called with the reason when nothing can be written any more, and with undefined when it can be again. */
  onUnwritable: (reason: string | undefined) => void;
  /** Called when the store can no longer be trusted; the process should end. */
  onFatal: (error: Error) => void;
}

/** Starts the writer thread and waits until its connection is open. */
export async function startWriterThread(options: WriterThreadOptions): Promise<WriterThread> {
  const thread = await startWorkerThread<WriterRequest, WriterAnswer>({
    script: new URL('./writer.ts', import.meta.url),
    place: options.file,
    onFatal: options.onFatal,
    // It is unknown which of its last writes are on disk.
    onDeath: options.onFatal,
  });
  const sizes = createBatchSizes();
  const health = createWriteHealth({
    probe: () => ask({ probe: true }),
    freeBytes: () => readFreeBytes(options.file),
    monotonicMs: () => performance.now(),
    onChange: options.onUnwritable,
  });
  const ask = createAsk(thread, {
    onCommit(commitMs) {
      sizes.onCommit(commitMs);
      reportFigure(options.onCommit, commitMs);
    },
    noteHealth: health.note,
    onLeaves: options.onLeaves,
  });
  let closed: Promise<void> | undefined;

  async function hold(step: HoldStep): Promise<void> {
    await group.drain();
    if (closed !== undefined) {
      throw new DomainError('store_unavailable', { retryAfterSeconds: 1 });
    }
    const [outcome] = await ask({ hold: step });
    if (outcome !== undefined && 'error' in outcome) {
      throw outcome.error;
    }
  }

  const group = createBatchQueue<NamedWrite<keyof Writes>, unknown>({
    run: (writes) => commit(ask, writes),
    batchMax: sizes.max,
    runningMax: BATCHES_UNDER_WAY,
    queueMax: QUEUE_MAX,
    onBatch: options.onBatch,
  });

  async function end(): Promise<void> {
    await group.drain();
    await thread.close();
  }

  // The writer's function of that name returned the value.
  const write = ((name: keyof Writes, input: unknown) =>
    closed === undefined
      ? group.submit({ name, input })
      : Promise.reject(new DomainError('store_unavailable', { retryAfterSeconds: 1 }))) as WriteOf<Writes>;

  return {
    write,
    allOrNothing: (work) => allOrNothing(hold, work),
    async truncateWal() {
      if (closed === undefined) {
        await ask({ truncateWal: true });
      }
    },
    checkWritable: health.check,
    close() {
      closed ??= end();
      return closed;
    },
  };
}

/**
 * Free bytes, or 0 when the folder is missing. Must not throw: it is called after a commit, whose outcome is known.
 */
function readFreeBytes(file: string): number {
  try {
    return freeBytes(file);
  } catch {
    return 0;
  }
}

type HoldStep = 'begin' | 'commit' | 'undo';

interface AskEvents extends Pick<WriterThreadOptions, 'onCommit' | 'onLeaves'> {
  noteHealth: WriteHealth['note'];
}

type Ask = (request: WriterRequest) => Promise<WriteOutcome<unknown>[]>;

function createAsk(
  thread: WorkerThread<WriterRequest, WriterAnswer>,
  { onCommit, noteHealth, onLeaves }: AskEvents,
): Ask {
  return async (request) => {
    const answer = await thread.ask(request);
    if ('runs' in request) {
      onCommit(answer.commitMs);
    }
    if (answer.leaves !== undefined) {
      onLeaves(answer.leaves);
    }
    if (!('truncateWal' in request) && saysSomething(answer)) {
      noteHealth(answer.trouble);
    }
    return unpackReplies(answer);
  };
}

/** False when another process held a lock: that shows neither that the disk can be written nor that it cannot. */
function saysSomething({ trouble, refusals }: WriterAnswer): boolean {
  return trouble !== undefined || !refusals.some(({ refusal }) => refusal.code === 'store_unavailable');
}

/** The slower the disk, the larger the batches: small batches only help where commits are quick. */
function createBatchSizes() {
  let averageMs = 0;
  return {
    onCommit(commitMs: number): void {
      averageMs += (commitMs - averageMs) * SMOOTHING;
    },
    max: () => Math.min(BATCH_MAX, Math.max(BATCH_MIN, Math.ceil(averageMs * WRITES_PER_COMMIT_MS))),
  };
}

async function commit(
  ask: Ask,
  writes: readonly NamedWrite<keyof Writes>[],
): Promise<WriteOutcome<unknown>[]> {
  try {
    return await ask({ runs: packWrites(writes) });
  } catch (error) {
    // A write that cannot be sent must not fail the others. Nothing was sent, so each is sent alone.
    if (writes.length > 1 && error instanceof DomainError && error.code === 'internal') {
      return (await Promise.all(writes.map((write) => commitAlone(ask, write)))).flat();
    }
    throw error;
  }
}

async function commitAlone(ask: Ask, write: NamedWrite<keyof Writes>): Promise<WriteOutcome<unknown>[]> {
  try {
    return await ask({ runs: packWrites([write]) });
  } catch (error) {
    return [{ error: toDomainError(error) }];
  }
}

async function allOrNothing<Result>(
  hold: (step: HoldStep) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  await hold('begin');
  try {
    const result = await work();
    await hold('commit');
    return result;
  } catch (error) {
    // The caller gets the first error; a failed rollback would add nothing to it.
    await hold('undo').catch(() => {});
    throw error;
  }
}
