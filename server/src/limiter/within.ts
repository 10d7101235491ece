/** A timer that fires later than this was delayed by our own event loop, not by whoever is to answer. */
const LATE_MS = 10;

/**
 * The answer, or a rejection when it does not come in time. Only time in which our own event loop runs counts: while it
 * is blocked, the question may not even have been sent, and the answer cannot be read. So a timer that fires late
 * starts again, and answers that have arrived are read before time is up.
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
