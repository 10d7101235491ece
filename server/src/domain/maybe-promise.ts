/** A result, or a promise of it. Awaiting a result that is already known costs more than most reads. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Calls `next` with a result: synchronously when it is no promise. */
export function continueWith<Value, Next>(
  result: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return result instanceof Promise ? result.then(next) : next(result);
}
