import type { DatabaseSync } from 'node:sqlite';
import { createEngine } from '../../src/store/sqlite/engine.ts';

const elsewhere = () => Promise.reject(new Error('a short read needs no other thread and writes nothing'));

/** The engine of stored features on one connection, without threads. */
export function createEngineHere(db: DatabaseSync) {
  return createEngine({
    db,
    guarded: async (work) => work(),
    readNow: (work) => work(),
    openReader: () => ({ db, assertMayGoOn() {}, close() {} }),
    write: elsewhere,
    readElsewhere: elsewhere,
  });
}
