import { Worker } from 'node:worker_threads';
import { DomainError } from '../domain/errors.ts';
import type { WorkerThreadMessage, WorkerThreadRequest } from './worker-thread-service.ts';

const YOUNG_MEGABYTES = 12;

export interface WorkerThread<Request, Answer> {
  /**
   * Rejects with `store_unavailable` once the thread has ended or the store can no longer be trusted, and with
   * `internal` when the request cannot be sent to a thread. The thread has not seen such a request.
   */
  ask(request: Request): Promise<Answer>;
  /** Lets the thread answer pending requests, then ends it. */
  close(): Promise<void>;
}

export interface WorkerThreadOptions {
  /** A module that calls `serveWorkerThread`. */
  script: URL;
  /** The store that the thread opens: a file or an address. */
  place: string;
  /** Lowers the thread's priority, so that all other threads run first when the cores are busy. */
  isBackground?: boolean;
  /** Called when the store can no longer be trusted; the process should end. */
  onFatal: (error: Error) => void;
  /** Called when the thread ended without having been closed. */
  onDeath: (error: Error) => void;
}

/** Starts a thread with a connection of its own and waits until it is ready. */
export async function startWorkerThread<Request, Answer>(
  options: WorkerThreadOptions,
): Promise<WorkerThread<Request, Answer>> {
  const worker = startWorker(options);
  // The thread answers in the order of the requests, so an answer belongs to the oldest waiting one.
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
        // Send first: a request that cannot be sent gets no answer, and its entry would take the answer of the next
        // request.
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

function startWorker({ script, place, isBackground }: WorkerThreadOptions): Worker {
  return new Worker(script, {
    workerData: { place, isBackground },
    // Requests are short-lived: a larger young generation would only hold more garbage before each collection.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  });
}

/** Sends a request. A value that cannot cross threads, such as a function, is a defect of the caller. */
function post<Request>(worker: Worker, request: WorkerThreadRequest<Request>): void {
  try {
    worker.postMessage(request);
  } catch (error) {
    throw new DomainError('internal', { cause: error });
  }
}
