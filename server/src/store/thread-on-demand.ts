import { startWorkerThread, type WorkerThread, type WorkerThreadOptions } from './worker-thread.ts';

/** A thread without requests for this long ends, which frees about fifteen megabytes. */
const IDLE_MS = 60_000;

export interface ThreadOnDemandOptions extends Omit<WorkerThreadOptions, 'onDeath'> {
  /** A thread without requests for this long ends; IDLE_MS by default. */
  idleMs?: number | undefined;
  /** False while the thread holds something that a later request needs, so that it must not end as idle. */
  mayEnd?: () => boolean;
  /** Called when the thread ended without having been closed. The next request starts another one. */
  onDeath?: () => void;
}

export interface ThreadOnDemand<Request, Answer> {
  /** Rejects like `WorkerThread.ask`. Must not be called after `close`. */
  ask(request: Request): Promise<Answer>;
  /** Lets the thread answer pending requests, then ends it. */
  close(): Promise<void>;
}

/** A thread that only reads. It starts with the first request, and ends when it has been idle for a while. */
export function createThreadOnDemand<Request, Answer>({
  idleMs = IDLE_MS,
  mayEnd = () => true,
  onDeath = () => {},
  ...options
}: ThreadOnDemandOptions): ThreadOnDemand<Request, Answer> {
  let thread: Promise<WorkerThread<Request, Answer>> | undefined;
  let ending: Promise<unknown> | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let pending = 0;

  function start(): Promise<WorkerThread<Request, Answer>> {
    const started = startWorkerThread<Request, Answer>({
      ...options,
      // The thread writes nothing, so nothing is lost when it dies.
      onDeath() {
        if (thread === started) {
          thread = undefined;
          onDeath();
        }
      },
    });
    return started;
  }

  function endIdle(): void {
    if (pending === 0 && mayEnd()) {
      const idle = thread;
      thread = undefined;
      ending = Promise.all([ending, endThread(idle)]);
    }
  }

  async function endThread(started: typeof thread): Promise<void> {
    // A thread that could not start has rejected the requests that waited for it.
    await (await started?.catch(() => undefined))?.close();
  }

  return {
    async ask(request) {
      clearTimeout(idleTimer);
      pending += 1;
      try {
        thread ??= start();
        return await (await thread).ask(request);
      } finally {
        pending -= 1;
        clearTimeout(idleTimer);
        idleTimer = setTimeout(endIdle, idleMs).unref();
      }
    },
    async close() {
      clearTimeout(idleTimer);
      await Promise.all([ending, endThread(thread)]);
    },
  };
}
