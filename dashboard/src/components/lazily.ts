/** Makes a value at its first use. For formatters of Intl: each takes milliseconds, and a page uses few of them. */
export function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
