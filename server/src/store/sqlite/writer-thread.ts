import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';
import { createGroupCommit, type WriteOutcome } from '../group-commit.ts';
import type { WriteOf } from './write.ts';
import type { NamedWrite, Reply, WriterMessage, Writes } from './writer.ts';

const BATCH_MAX = 1_000;
const QUEUE_MAX = 20_000;

export interface WriterThread {
  write: WriteOf<Writes>;
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
  const worker = new Worker(new URL('./writer.ts', import.meta.url), { workerData: { file: options.file } });
  let settle: ((message: WriterMessage) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  let isClosing = false;
  let broken: DomainError | undefined;
  let closed: Promise<void> | undefined;

  function nextMessage(): Promise<WriterMessage> {
    return new Promise((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
  }

  function breakDown(error: Error): void {
    broken = new DomainError('store_unavailable', { cause: error, retryAfterSeconds: 1 });
    fail?.(broken);
    if (!isClosing) {
      options.onFatal(error);
    }
  }

  worker.on('message', (message: WriterMessage) => {
    if ('fatal' in message) {
      breakDown(new Error(message.fatal));
    } else {
      settle?.(message);
    }
  });
  worker.on('error', (error) => breakDown(error instanceof Error ? error : new Error(String(error))));

  async function commit(writes: readonly NamedWrite[]): Promise<WriteOutcome<unknown>[]> {
    if (broken !== undefined) {
      throw broken;
    }
    const answered = nextMessage();
    worker.postMessage({ writes });
    const message = await answered;
    return 'replies' in message ? message.replies.map(toOutcome) : [];
  }

  const group = createGroupCommit<NamedWrite, unknown>({
    commit,
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    onBatch: options.onBatch,
  });
  await nextMessage();

  async function end(): Promise<void> {
    await group.drain();
    isClosing = true;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage({ close: true });
    await ended;
  }

  // What comes back for a name is what the writer's function of that name returned.
  const write = ((name: keyof Writes, input: unknown) =>
    closed === undefined
      ? group.submit({ name, input })
      : Promise.reject(new DomainError('store_unavailable', { retryAfterSeconds: 1 }))) as WriteOf<Writes>;

  return {
    write,
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
