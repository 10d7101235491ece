import type { DatabaseSync } from 'node:sqlite';
import { prepare } from './connection.ts';

type Part = 'keys' | 'commands';

/**
 * Tells whether a part of the store has changed since it was last read into memory, by this process or any
 * other. The counter is read at most once per turn of the event loop: requests that arrive together share
 * the look, and a request that arrives after a change is always answered after it.
 */
export function createRevisionReader(db: DatabaseSync, part: Part): () => number {
  const find = prepare<{ value: number }>(db, 'SELECT value FROM revision WHERE part = ?');
  let known: number | undefined;
  return () => {
    if (known === undefined) {
      known = find.get(part)?.value ?? 0;
      setImmediate(() => {
        known = undefined;
      });
    }
    return known;
  };
}

/** Moves a part's counter; belongs into the commit that changes the part. */
export function createRevisionBump(db: DatabaseSync, part: Part): () => void {
  const bump = prepare(db, 'UPDATE revision SET value = value + 1 WHERE part = ?');
  return () => {
    bump.run(part);
  };
}
