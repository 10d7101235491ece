/** A bounded cache. */
export interface Cache<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value, size?: number): void;
  clear(): void;
}

/**
 * A cache that approximates least recently used with two generations. A value that is read moves to the present
 * generation; when that is full it becomes the past one, and the former past one is dropped. Neither exceeds
 * `sizeMax` by more than one value.
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

/**
 * Returns a function that records a key and is true when the key was recorded recently. Caches call it before they
 * store a value: most rows of a walk through a whole list are read once, and caching them costs more than it gains.
 * It keeps only hashes, each in one of `places` slots; `places` must be a power of two. When two keys share a hash, a
 * value is cached one read early, which is harmless.
 */
export function createAskedBefore(places: number): (key: string) => boolean {
  const hashes = new Int32Array(places);
  return (key) => {
    const hash = hashOf(key);
    const place = hash & (places - 1);
    if (hashes[place] === hash) {
      return true;
    }
    hashes[place] = hash;
    return false;
  };
}

/** FNV-1a. The upper half is mixed into the lower one, which selects the slot. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash ^ (hash >>> 16);
}
