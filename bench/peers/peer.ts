import type { Requirement } from '../../scripts/requirements.ts';
import type { RunningServer } from '../support/servers.ts';
import type { Load } from '../support/wrk.ts';
import type { Sample } from './sample.ts';

/** The three jobs that every peer is measured with, and their names in the results. */
export const JOBS = { record: 'record read', list: 'list of 20', post: 'durable post' } as const;
export type JobName = keyof typeof JOBS;
export const JOB_NAMES = ['record', 'list', 'post'] as const satisfies readonly JobName[];

/** Rows of the page that is listed, and of the account that it belongs to. */
export const PAGE_ROWS = 20;
export const ACCOUNT_ROWS = 100;

/** A service that somebody could run instead of this one. */
export interface Peer {
  /** The name for `--only`. */
  name: string;
  title: string;
  version: string;
  /** True when no acknowledged post is lost in a power cut. */
  survivesPowerCut: boolean;
  /** The database and the settings that decide this. */
  durability: string;
  /** Database servers that it needs. */
  programs: readonly Requirement[];
  /** Installs the program into the folder and returns its path. Throws a NotObtainedError when that is impossible. */
  obtain(folder: string): Promise<string>;
  /** Starts the program on loopback, with its data in the folder, and fills it with the sample. */
  start(options: { program: string; folder: string; sample: Sample }): Promise<RunningPeer>;
}

export interface RunningPeer {
  server: RunningServer;
  /** A job that the peer has no endpoint for is left out. */
  loads: Partial<Record<JobName, Load>>;
  /** Throws when the body is not the right answer to the request of this index. */
  check(job: JobName, index: number, body: string): void;
  /** Transactions in the peer's database. */
  countTransactions(): Promise<number>;
  /** Stops the peer and the database servers that it needed. */
  stop(): Promise<void>;
}

/** The peer's program cannot be had here. The message is one line for the results; the cause has everything else. */
export class NotObtainedError extends Error {}

/** Compares one value of an answer with the expected one. */
export function expectEqual(found: unknown, expected: unknown, what: string): void {
  if (found !== expected) {
    throw new Error(
      `wrong answer: ${what} is ${JSON.stringify(found)} and should be ${JSON.stringify(expected)}`,
    );
  }
}
