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

/**
 * Tells whether a key was asked for lately, and remembers it. Caches ask it before they take something in: most of a walk through
 * everything is asked for once, and putting that into a cache costs more than it is worth. Only hashes are kept, each in one
 * of so many places, a power of two. Two keys with one hash do no harm: something is cached a little early.
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

/** FNV-1a, with its upper half mixed into the lower one, which chooses the place. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash ^ (hash >>> 16);
}
