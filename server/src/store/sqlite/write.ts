import type { DatabaseSync } from 'node:sqlite';
import type { OpenReader } from './read-rows.ts';

/** A set of named writes, each run inside the writer thread's transaction. */
export type WriteSet = Record<string, (input: never) => unknown>;

/**
 * Hands one write to the writer thread and resolves once its commit is on disk. Input and result cross a
 * thread boundary, so both are plain data.
 */
export type WriteOf<Writes extends WriteSet> = <Name extends keyof Writes>(
  name: Name,
  input: Parameters<Writes[Name]>[0],
) => Promise<ReturnType<Writes[Name]>>;

/** What the parts of the store that can be read as a whole are made of. */
export interface StoreParts<Writes extends WriteSet> {
  db: DatabaseSync;
  read: Read;
  openReader: OpenReader;
  write: WriteOf<Writes>;
}

/** Runs a read on the calling thread and gives its failures the port's form. */
export type Read = <Result>(work: () => Result) => Promise<Result>;
