import type { DatabaseSync } from 'node:sqlite';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { OpenReader } from './read-rows.ts';

/** Named functions that another thread runs. Writes run inside the writer thread's transaction. */
export type CallSet = Record<string, (input: never) => unknown>;

/**
 * Hands one write to the writer thread and resolves once its commit is on disk. Input and result cross a
 * thread boundary, so both are plain data.
 */
export type WriteOf<Writes extends CallSet> = <Name extends keyof Writes>(
  name: Name,
  input: Parameters<Writes[Name]>[0],
) => Promise<Awaited<ReturnType<Writes[Name]>>>;

/**
 * Hands one read to a reader thread, which is chosen by `rows`, the number of rows it visits at most. Input and
 * result are plain data here too.
 */
export type LongReadOf<Reads extends CallSet> = <Name extends keyof Reads>(
  name: Name,
  input: Parameters<Reads[Name]>[0],
  rows: number,
) => Promise<Awaited<ReturnType<Reads[Name]>>>;

/** Calls a function of a set on another thread. */
export type CallOf<Set extends CallSet> = <Name extends keyof Set>(
  name: Name,
  input: Parameters<Set[Name]>[0],
) => Promise<Awaited<ReturnType<Set[Name]>>>;

/** The connection, reads and writes from which a store of this engine is made. */
export interface StoreParts<Writes extends CallSet> {
  db: DatabaseSync;
  read: Read;
  readNow: ReadNow;
  openReader: OpenReader;
  write: WriteOf<Writes>;
}

/** Runs a read on the calling thread, or starts a long one from there, and translates its errors. */
export type Read = <Result>(work: () => MaybePromise<Result>) => Promise<Result>;

/** Like `Read`, for the most frequent reads: a synchronous result is returned without a promise. */
export type ReadNow = <Result>(work: () => MaybePromise<Result>) => MaybePromise<Result>;
