import { DomainError } from '../../domain/errors.ts';
import type { Store } from '../../domain/ports.ts';
import { createGroupCommit, type WriteOutcome } from '../group-commit.ts';
import { type Reply, toOutcome } from './reply.ts';
import { startThread } from './thread.ts';
import type { WriteOf } from './write.ts';
import type { NamedWrite, WriterRequest, Writes } from './writer.ts';

const BATCH_MAX = 1_000;
const QUEUE_MAX = 20_000;

export interface WriterThread {
  write: WriteOf<Writes>;
  allOrNothing: Store['allOrNothing'];
  /** Begins the write-ahead log anew, unless somebody reads from it or it cannot be done now. */
  restartLog(): Promise<void>;
  /** Commits what is waiting, then ends the thread. */
  close(): Promise<void>;
}

export interface WriterThreadOptions {
  file: string;
  onBatch: (size: number) => void;
  /** The store can no longer be trusted; the process should end. */
  onFatal: (error: Error) => void;
}

/** Starts the writer thread and waits until its connection stands. */
export async function startWriterThread(options: WriterThreadOptions): Promise<WriterThread> {
  const thread = await startThread<WriterRequest, Reply[]>({
    script: new URL('./writer.ts', import.meta.url),
    file: options.file,
    onFatal: options.onFatal,
    // Nobody knows which of its last writes are on disk.
    onDeath: options.onFatal,
  });
  let closed: Promise<void> | undefined;

  async function ask(request: WriterRequest): Promise<WriteOutcome<unknown>[]> {
    const replies = await thread.ask(request);
    return replies.map(toOutcome);
  }

  async function hold(step: 'begin' | 'commit' | 'undo'): Promise<void> {
    await group.drain();
    if (closed !== undefined) {
      throw new DomainError('store_unavailable', { retryAfterSeconds: 1 });
    }
    const [outcome] = await ask({ hold: step });
    if (outcome !== undefined && 'error' in outcome) {
      throw outcome.error;
    }
  }

  const group = createGroupCommit<NamedWrite, unknown>({
    commit: (writes) => ask({ writes: [...writes] }),
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    onBatch: options.onBatch,
  });

  async function end(): Promise<void> {
    await group.drain();
    await thread.close();
  }

  // What comes back for a name is what the writer's function of that name returned.
  const write = ((name: keyof Writes, input: unknown) =>
    closed === undefined
      ? group.submit({ name, input })
      : Promise.reject(new DomainError('store_unavailable', { retryAfterSeconds: 1 }))) as WriteOf<Writes>;

  return {
    write,
    async allOrNothing(work) {
      await hold('begin');
      try {
        const result = await work();
        await hold('commit');
        return result;
      } catch (error) {
        // What went wrong first is what the caller must hear; a store that cannot even undo has said so already.
        await hold('undo').catch(() => {});
        throw error;
      }
    },
    async restartLog() {
      if (closed === undefined) {
        await ask({ restartLog: true });
      }
    },
    close() {
      closed ??= end();
      return closed;
    },
  };
}
