import { createMemory } from '../../domain/memory.ts';
import type { Answer, Body } from '../answer.ts';

/** The size of the cache of one endpoint; it keeps two generations of this size at most. */
const BYTES_MAX = 4_000_000;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 250;

/** The revision of a part of the store; undefined where it cannot be known without asking a server. */
export type Revision = number | undefined;

/** The bodies of an endpoint, cached until the part of the store that they were read from changes. */
export interface CachedBodies {
  /** Answers with the cached body of that key at once, or reads it. */
  answer(key: string, read: () => Promise<Body>): Answer | Promise<Answer>;
}

export function createCachedBodies(revision: () => Revision): CachedBodies {
  const cache = createMemory<Body>(BYTES_MAX);
  let cachedRevision: Revision;

  async function readNew(key: string, read: () => Promise<Body>, readAt: Revision): Promise<Answer> {
    const body = await read();
    // What was read while the store changed belongs to a revision that is over.
    if (readAt !== undefined && readAt === cachedRevision) {
      cache.set(key, body, body.length + ENTRY_BYTES);
    }
    return { body };
  }

  return {
    answer(key, read) {
      const current = revision();
      if (current !== cachedRevision) {
        cache.clear();
        cachedRevision = current;
      }
      const body = current === undefined ? undefined : cache.get(key);
      return body === undefined ? readNew(key, read, current) : { body };
    },
  };
}
