import { parentPort, workerData } from 'node:worker_threads';
import type { MaybePromise } from '../domain/maybe-promise.ts';
import { lowerThreadPriority } from './thread-priority.ts';

export type WorkerThreadRequest<Request> = { ask: Request } | { close: true };

export type WorkerThreadMessage<Answer> = { ready: true } | { answer: Answer } | { fatal: string };

/** Answers requests on a thread, with a connection of its own. */
export interface Service<Request, Answer> {
  /** Throws only when the store can no longer be trusted. */
  answer(request: Request): MaybePromise<Answer>;
  close(): MaybePromise<void>;
}

interface Port<Request, Answer> {
  postMessage(message: WorkerThreadMessage<Answer>): void;
  on(event: 'message', listener: (message: WorkerThreadRequest<Request>) => void): void;
  close(): void;
}

/** Answers the thread that started this one with `startWorkerThread`, one request at a time, in order. */
export function serveWorkerThread<Request, Answer>(start: (place: string) => Service<Request, Answer>): void {
  const port: Port<Request, Answer> | null = parentPort;
  if (port === null) {
    return;
  }
  if (workerData.isBackground === true) {
    lowerThreadPriority();
  }
  const service = start(workerData.place);
  async function serve(message: WorkerThreadRequest<Request>): Promise<void> {
    if ('close' in message) {
      await service.close();
      port?.close();
      return;
    }
    try {
      port?.postMessage({ answer: await service.answer(message.ask) });
    } catch (error) {
      port?.postMessage({ fatal: String(error) });
    }
  }
  let last = Promise.resolve();
  port.on('message', (message) => {
    last = last.then(() => serve(message));
  });
  port.postMessage({ ready: true });
}
