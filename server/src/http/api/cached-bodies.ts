import { createCache } from '../../domain/cache.ts';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { continueWith, type MaybePromise } from '../../domain/maybe-promise.ts';
import type { Answer, Body } from '../answer.ts';

/** The size of the cache of one endpoint; it keeps two generations of this size at most. */
const BYTES_MAX = 4_000_000;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 250;
/** Keys without a body that are cached, apart from the bodies: asking for what is absent never displaces what is there. */
const ABSENT_MAX = 10_000;

/** The revision of a part of the store; undefined where it is not known. */
export type Revision = number | undefined;

/** The bodies of an endpoint, and what has none, cached until the part of the store that they were read from changes. */
export interface CachedBodies {
  /**
   * Answers with the body of that key, at once where the revision is known at once, if it was cached at it, or reads it.
   * A read that finds nothing throws so.
   */
  answer(key: string, revision: MaybePromise<Revision>, read: () => MaybePromise<Body>): MaybePromise<Answer>;
}

export function createCachedBodies(): CachedBodies {
  const cache = createCache<{ body: Body; revision: number }>(BYTES_MAX);
  const absent = createCache<{ error: DomainError; revision: number }>(ABSENT_MAX);

  // Cached at the revision from before the read: what was read while the store changed is of a revision that is over.
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
