/** What was read and may be asked for again. */
export interface Memory<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, size?: number): void;
  clear(): void;
}

/**
 * A memory of bounded size that keeps what is used. What is asked for moves to the present half; when that is full, it
 * becomes the past one, and whatever nobody asked for meanwhile is forgotten. Neither half exceeds `sizeMax` by more than
 * one value.
 */
export function createMemory<Value>(sizeMax: number): Memory<Value> {
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
