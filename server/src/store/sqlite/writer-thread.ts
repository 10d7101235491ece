import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';
import type { Store } from '../../domain/ports.ts';
import { createGroupCommit, type WriteOutcome } from '../group-commit.ts';
import type { WriteOf } from './write.ts';
import type { NamedWrite, Reply, WriterMessage, WriterRequest, Writes } from './writer.ts';

const BATCH_MAX = 1_000;
const QUEUE_MAX = 20_000;
const YOUNG_MEGABYTES = 24;

export interface WriterThread {
  write: WriteOf<Writes>;
  allOrNothing: Store['allOrNothing'];
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
  const worker = new Worker(new URL('./writer.ts', import.meta.url), {
    workerData: { file: options.file },
    // Batches come and go: a large nursery would only let their remains pile up before they are cleared away.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
  // The thread answers in the order it was asked, so the oldest waiting one is meant.
  const waiting: { resolve: (message: WriterMessage) => void; reject: (error: Error) => void }[] = [];
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  let isClosing = false;
  let broken: DomainError | undefined;
  let closed: Promise<void> | undefined;

  function nextMessage(): Promise<WriterMessage> {
    return new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
  }

  function breakDown(error: Error): void {
    broken = new DomainError('store_unavailable', { cause: error, retryAfterSeconds: 1 });
    for (const { reject } of waiting.splice(0)) {
      reject(broken);
    }
    if (!isClosing) {
      options.onFatal(error);
    }
  }

  worker.on('message', (message: WriterMessage) => {
    if ('fatal' in message) {
      breakDown(new Error(message.fatal));
    } else {
      waiting.shift()?.resolve(message);
    }
  });
  worker.on('error', (error) => breakDown(error instanceof Error ? error : new Error(String(error))));

  async function ask(request: WriterRequest): Promise<WriteOutcome<unknown>[]> {
    if (broken !== undefined) {
      throw broken;
    }
    const answered = nextMessage();
    worker.postMessage(request);
    const message = await answered;
    return 'replies' in message ? message.replies.map(toOutcome) : [];
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
  await nextMessage();

  async function end(): Promise<void> {
    await group.drain();
    isClosing = true;
    worker.postMessage({ close: true });
    await exited;
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
    close() {
      closed ??= end();
      return closed;
    },
  };
}

function toOutcome(reply: Reply): WriteOutcome<unknown> {
  if ('value' in reply) {
    return reply;
  }
  const { code, cause, ...options } = reply;
  return {
    error: new DomainError(code, cause === undefined ? options : { ...options, cause: new Error(cause) }),
  };
}
