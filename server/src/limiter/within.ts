/**
 * The answer, or a rejection when it does not come in time. When our own event loop was held up, timers fire before the
 * sockets are looked at; so the answers that are already there get their turn before time is called.
 */
export function within<Value>(ms: number, answer: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${ms} ms`));
    const timer = setTimeout(() => setImmediate(giveUp), ms);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
