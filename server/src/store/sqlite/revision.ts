import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './connection.ts';

type Part = 'keys' | 'commands';

export interface RevisionReader {
  read(): number;
  /** After a change of our own the next look is a fresh one, even within the same turn. */
  lookAgain(): void;
}

/**
 * Tells whether a part of the store has changed since it was last read into memory, by this process or any
 * other. The counter is read at most once per turn of the event loop: requests that arrive together share
 * the look, and a request that arrives after a change is always answered after it.
 */
export function createRevisionReader(db: DatabaseSync, part: Part): RevisionReader {
  const find = prepare<{ value: number }>(db, 'SELECT value FROM revision WHERE part = ?');
  let known: number | undefined;
  return {
    lookAgain() {
      known = undefined;
    },
    read() {
      if (known === undefined) {
        known = find.get(part)?.value ?? 0;
        setImmediate(() => {
          known = undefined;
        });
      }
      return known;
    },
  };
}

/** Moves a part's counter; belongs into the commit that changes the part. */
export function createRevisionBump(db: DatabaseSync, part: Part): () => void {
  const bump = prepare(db, 'UPDATE revision SET value = value + 1 WHERE part = ?');
  return () => {
    bump.run(part);
  };
}
