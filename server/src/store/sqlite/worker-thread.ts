import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';
import type { WorkerThreadMessage, WorkerThreadRequest } from './worker-thread-service.ts';

const YOUNG_MEGABYTES = 12;

export interface WorkerThread<Request, Answer> {
  /**
   * Rejects with `store_unavailable` once the thread is dead or the store can no longer be trusted, and with `internal`
   * when the request cannot be sent to a thread. The thread knows nothing of such a request.
   */
  ask(request: Request): Promise<Answer>;
  /** Lets the thread answer what it was asked, then ends it. */
  close(): Promise<void>;
}

export interface WorkerThreadOptions {
  /** A module that calls `serveWorkerThread`. */
  script: URL;
  file: string;
  /** Everything else goes first when the cores are busy. */
  isBackground?: boolean;
  /** The store can no longer be trusted; the process should end. */
  onFatal: (error: Error) => void;
  /** The thread ended without having been closed. */
  onDeath: (error: Error) => void;
}

/** Starts a thread with a connection of its own and waits until it serves. */
export async function startWorkerThread<Request, Answer>(
  options: WorkerThreadOptions,
): Promise<WorkerThread<Request, Answer>> {
  const worker = startWorker(options);
  // The thread answers in the order it was asked, so the oldest waiting one is meant.
  const waiting: Pick<PromiseWithResolvers<Answer>, 'resolve' | 'reject'>[] = [];
  const ready = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<void>();
  let isClosing = false;
  let broken: DomainError | undefined;

  function breakDown(error: Error, report: (error: Error) => void): void {
    if (broken !== undefined) {
      return;
    }
    broken = new DomainError('store_unavailable', { cause: error, retryAfterSeconds: 1 });
    for (const { reject } of [ready, ...waiting.splice(0)]) {
      reject(broken);
    }
    if (!isClosing) {
      report(error);
    }
  }

  worker.on('message', (message: WorkerThreadMessage<Answer>) => {
    if ('ready' in message) {
      ready.resolve();
    } else if ('fatal' in message) {
      breakDown(new Error(message.fatal), options.onFatal);
    } else {
      waiting.shift()?.resolve(message.answer);
    }
  });
  worker.on('error', (error) =>
    breakDown(error instanceof Error ? error : new Error(String(error)), options.onDeath),
  );
  worker.once('exit', (status) => {
    breakDown(new Error(`a thread of the store ended with status ${status}`), options.onDeath);
    exited.resolve();
  });
  const send = (request: WorkerThreadRequest<Request>) => post(worker, request);
  await ready.promise;

  return {
    ask(request) {
      if (broken !== undefined) {
        return Promise.reject(broken);
      }
      return new Promise((resolve, reject) => {
        // Sent first: a request that cannot be sent gets no answer, and waiting for one would take the next request's.
        send({ ask: request });
        waiting.push({ resolve, reject });
      });
    },
    close() {
      isClosing = true;
      send({ close: true });
      return exited.promise;
    },
  };
}

function startWorker({ script, file, isBackground }: WorkerThreadOptions): Worker {
  return new Worker(script, {
    workerData: { file, isBackground },
    // Requests come and go: a large nursery would only let their remains pile up before they are cleared away.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
}

/** Sends a request. What cannot cross threads, such as a function, is a defect of the caller. */
function post<Request>(worker: Worker, request: WorkerThreadRequest<Request>): void {
  try {
    worker.postMessage(request);
  } catch (error) {
    throw new DomainError('internal', { cause: error });
  }
}
