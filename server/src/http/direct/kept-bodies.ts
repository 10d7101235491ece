import { createMemory } from '../../domain/memory.ts';
import type { Body } from '../answer-text.ts';

/** What is kept for one kind of answer, twice at most. */
const KEPT_BYTES_MAX = 4_000_000;
/** What an entry takes beside its text. */
const ENTRY_BYTES = 250;

/** The revision at which something was read; undefined where nobody could tell. */
export type Revision = number | undefined;

/** Answers that were sent and hold until their part of the store changes. */
export interface KeptBodies {
  find(key: string): Body | undefined;
  /** To be asked for before a body is read, and given back with it. */
  revision(): Revision;
  keep(key: string, body: Body, readAt: Revision): void;
}

export function createKeptBodies(revision: () => Revision): KeptBodies {
  const memory = createMemory<Body>(KEPT_BYTES_MAX);
  let known: Revision;

  function renew(current: Revision): void {
    if (current !== known) {
      memory.clear();
      known = current;
    }
  }

  return {
    revision,
    find(key) {
      const current = revision();
      renew(current);
      return current === undefined ? undefined : memory.get(key);
    },
    keep(key, body, readAt) {
      // What was read while the part changed belongs to a memory that is gone.
      if (readAt !== undefined && readAt === known) {
        memory.set(key, body, body.length + ENTRY_BYTES);
      }
    },
  };
}
