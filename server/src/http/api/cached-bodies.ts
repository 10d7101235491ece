import { createCache } from '../../domain/cache.ts';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer, Body } from '../answer.ts';

/** The size of the cache of one endpoint; it keeps two generations of this size at most. */
const BYTES_MAX = 4_000_000;
/** The memory of an entry without its text. */
const ENTRY_BYTES = 250;
/** Absent keys have a cache of their own, so that requests for absent records never displace cached bodies. */
const ABSENT_MAX = 10_000;

/** The revision of a part of the store; undefined where it is not known. */
export type Revision = number | undefined;

/** The bodies and the absent keys of an endpoint, cached until the revision of their part of the store changes. */
export interface CachedBodies {
  /**
   * Answers with the body that was cached for this key at this revision, or else calls `read`. Synchronous unless `revision`
   * or `read` is a promise. Throws the error of `read` when there is no such record.
   */
  answer(key: string, revision: MaybePromise<Revision>, read: () => MaybePromise<Body>): MaybePromise<Answer>;
}

export function createCachedBodies(): CachedBodies {
  const cache = createCache<{ body: Body; revision: number }>(BYTES_MAX);
  const absent = createCache<{ error: DomainError; revision: number }>(ABSENT_MAX);

  // The revision is the one from before the read. If the store changed during the read, the entry is outdated at once.
  function keep(key: string, revision: Revision, body: Body): Answer {
    if (revision !== undefined) {
      cache.set(key, { body, revision }, body.length + ENTRY_BYTES);
    }
    return { body };
  }

  function keepAbsence(key: string, revision: Revision, thrown: unknown): never {
    if (revision !== undefined && thrown instanceof DomainError && ABSENCES.has(thrown.code)) {
      absent.set(key, { error: thrown, revision });
    }
    throw thrown;
  }

  function readAt(key: string, revision: Revision, read: () => MaybePromise<Body>): MaybePromise<Answer> {
    try {
      const body = read();
      return body instanceof Promise
        ? body.then(
            (value) => keep(key, revision, value),
            (error) => keepAbsence(key, revision, error),
          )
        : keep(key, revision, body);
    } catch (error) {
      return keepAbsence(key, revision, error);
    }
  }

  function answerAt(key: string, revision: Revision, read: () => MaybePromise<Body>): MaybePromise<Answer> {
    const cached = cache.get(key);
    if (cached !== undefined && cached.revision === revision) {
      return { body: cached.body };
    }
    const known = absent.get(key);
    if (known !== undefined && known.revision === revision) {
      throw known.error;
    }
    return readAt(key, revision, read);
  }

  return {
    answer: (key, revision, read) => continueWith(revision, (known) => answerAt(key, known, read)),
  };
}

const ABSENCES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'discharge_not_found',
  'transfer_not_found',
  'user_not_found',
]);
