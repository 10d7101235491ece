/** A result that is here already, or that has to be waited for. Waiting for what is here costs more than most reads. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Continues with a result: at once if it is here. */
export function continueWith<Value, Next>(
  result: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return result instanceof Promise ? result.then(next) : next(result);
}
