import { createCache } from '../../domain/cache.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer, Body } from '../answer.ts';

/** The size of the cache of one endpoint; it keeps two generations of this size at most. */
const BYTES_MAX = 4_000_000;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 250;

/** The revision of a part of the store; undefined where it is not known. */
export type Revision = number | undefined;

/** The bodies of an endpoint, cached until the part of the store that they were read from changes. */
export interface CachedBodies {
  /** Answers with the body of that key, at once where the revision is known at once, if it was cached at it, or reads it. */
  answer(key: string, revision: MaybePromise<Revision>, read: () => MaybePromise<Body>): MaybePromise<Answer>;
}

export function createCachedBodies(): CachedBodies {
  const cache = createCache<{ body: Body; revision: number }>(BYTES_MAX);

  function keep(key: string, revision: Revision, body: Body): Answer {
    // Cached at the revision from before the read: what was read while the store changed is of a revision that is over.
    if (revision !== undefined) {
      cache.set(key, { body, revision }, body.length + ENTRY_BYTES);
    }
    return { body };
  }

  function answerAt(key: string, revision: Revision, read: () => MaybePromise<Body>): MaybePromise<Answer> {
    const cached = cache.get(key);
    const isCurrent = cached !== undefined && cached.revision === revision;
    return isCurrent ? { body: cached.body } : continueWith(read(), (body) => keep(key, revision, body));
  }

  return {
    answer: (key, revision, read) =>
      revision instanceof Promise
        ? revision.then((known) => answerAt(key, known, read))
        : answerAt(key, revision, read),
  };
}
