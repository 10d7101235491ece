/** A timer that fires later than this was delayed by our own event loop, not by the server. */
const LATE_MS = 10;

/**
 * Resolves with the answer, or rejects when it does not arrive in time. Only time in which our own event loop runs
 * counts: while it is blocked, the request may not have been sent, and an answer cannot be read. So a timer that
 * fires late is started again, and answers that have already arrived are read before the time is up.
 */
export function within<Value>(ms: number, answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = () => {
      const dueMs = performance.now() + ms;
      timer = setTimeout(() => {
        if (performance.now() - dueMs > LATE_MS) {
          wait();
        } else {
          // Sockets are read between timers and immediates.
          setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
        }
      }, ms);
    };
    wait();
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
