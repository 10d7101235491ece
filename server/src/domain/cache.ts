/** A bounded cache. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, size?: number): void;
  clear(): void;
}

/**
 * A cache that approximates least recently used with two generations: what is read moves to the present generation; when
 * that is full it becomes the past one, and the former past one is dropped. Neither exceeds `sizeMax` by more than one value.
 */
export function createCache<Value>(sizeMax: number): Cache<Value> {
  let present = new Map<string, { value: Value; size: number }>();
  let past = present;
  let presentSize = 0;

  function put(key: string, entry: { value: Value; size: number }): void {
    if (presentSize >= sizeMax) {
      past = present;
      present = new Map();
      presentSize = 0;
    }
    presentSize += entry.size - (present.get(key)?.size ?? 0);
    present.set(key, entry);
  }

  return {
    get(key) {
      let entry = present.get(key);
      if (entry === undefined) {
        entry = past.get(key);
        if (entry !== undefined) {
          put(key, entry);
        }
      }
      return entry?.value;
    },
    set(key, value, size = 1) {
      put(key, { value, size });
    },
    clear() {
      present = new Map();
      past = present;
      presentSize = 0;
    },
  };
}
