import type { StoredKey } from '../../domain/model.ts';

const CACHED_KEYS_MAX = 50_000;

interface Entry {
  hash: string;
  key: StoredKey;
  /** Read since it entered the queue. */
  isUsed: boolean;
}

/** Keys by the hash of their value. */
export interface KeyCache {
  get(hash: string): StoredKey | undefined;
  set(hash: string, key: StoredKey): void;
  /** Drops all keys of a guild. */
  dropGuild(guildNo: number): void;
  clear(): void;
}

/**
 * A cache of at most `sizeMax` keys. A full one evicts one key for each new one: the oldest that was not read since it entered the
 * queue. A key that was read enters the queue once more instead. So a read costs one look-up and one assignment.
 */
export function createKeyCache(sizeMax = CACHED_KEYS_MAX): KeyCache {
  const entries = new Map<string, Entry>();
  const guilds = new Map<number, Set<Entry>>();
  // Stays at the front of the queue, which is the order of insertion. A new iterator would have to skip the places of all keys that
  // were evicted before.
  let front = entries.values();

  function remove(entry: Entry): void {
    const { guildNo } = entry.key.guild;
    const others = guilds.get(guildNo);
    entries.delete(entry.hash);
    others?.delete(entry);
    if (others?.size === 0) {
      guilds.delete(guildNo);
    }
  }

  /** Needs one key at least. Ends within one round: keys that were read go to the end of the queue, marked as not read. */
  function evictOne(): void {
    for (let next = front.next(); next.done !== true; next = front.next()) {
      const entry = next.value;
      if (!entry.isUsed) {
        remove(entry);
        return;
      }
      entry.isUsed = false;
      entries.delete(entry.hash);
      entries.set(entry.hash, entry);
    }
  }

  return {
    get(hash) {
      const entry = entries.get(hash);
      if (entry === undefined) {
        return undefined;
      }
      entry.isUsed = true;
      return entry.key;
    },
    set(hash, key) {
      const former = entries.get(hash);
      if (former !== undefined) {
        remove(former);
      } else if (entries.size >= sizeMax) {
        evictOne();
      }
      const entry = { hash, key, isUsed: false };
      entries.set(hash, entry);
      const others = guilds.get(key.guild.guildNo);
      if (others === undefined) {
        guilds.set(key.guild.guildNo, new Set([entry]));
      } else {
        others.add(entry);
      }
    },
    dropGuild(guildNo) {
      for (const { hash } of guilds.get(guildNo) ?? []) {
        entries.delete(hash);
      }
      guilds.delete(guildNo);
    },
    clear() {
      entries.clear();
      guilds.clear();
      front = entries.values();
    },
  };
}
