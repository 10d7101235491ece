import { DomainError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { type JobFunctions, jobFunctions } from '../jobs.ts';
import { type Reply, toReply } from '../reply.ts';
import { createLeafNotes, type PostedLeaves } from '../seal/posted-leaves.ts';
import { type Service, serveWorkerThread } from '../worker-thread-service.ts';
import { WRITES } from '../writes.ts';
import { createAccounts } from './accounts.ts';
import { inTransaction, openConnection, prepare, truncateWal } from './connection.ts';
import { describeUnwritable, faultKind, toDomainError } from './faults.ts';
import { createLedgerWrites } from './ledger.ts';
import { createSql } from './sql.ts';
import { createWriteLock } from './write-lock.ts';
import {
  type NamedWrite,
  type PackedReplies,
  packReplies,
  unpackWrites,
  type WriteRun,
} from './writer-messages.ts';

/**
 * The writes of the writer thread, which alone changes the store. It commits each batch of named writes once. Waiting
 * for the disk never delays a read.
 */
export type Writes = ReturnType<typeof createLedgerWrites> & JobFunctions<typeof WRITES>;

/**
 * `hold` keeps one transaction open for many batches, until it is committed or rolled back. `truncateWal` truncates
 * the write-ahead log, unless somebody reads from it. `probe` commits a change of one page.
 */
export type WriterRequest =
  | { runs: WriteRun<keyof Writes>[] }
  | { hold: 'begin' | 'commit' | 'undo' }
  | { truncateWal: true }
  | { probe: true };

/** The outcomes of the writes, the duration of the COMMIT, and the reason when nothing could be written. */
export interface WriterAnswer extends PackedReplies {
  commitMs: number;
  trouble: string | undefined;
  /** Hashes of posts that were committed before. */
  leaves: PostedLeaves | undefined;
}

/** Posts that are hashed before the thread looks for the next batch, in about a twentieth of a millisecond. */
const HASHED_AT_ONCE = 16;
/** A checkpoint waits for the disk twice, so it runs every sixteen megabytes instead of SQLite's default of four. */
const CHECKPOINT_PAGES = 4_000;

function openWriter(file: string): Service<WriterRequest, WriterAnswer> {
  const db = openConnection(file);
  db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  const accounts = createAccounts(db);
  const leaves = createLeafNotes();
  const writes: Writes = {
    ...createLedgerWrites(db, accounts, leaves),
    ...jobFunctions(WRITES, createSql(db)),
  };

  // Numbers the transactions that an older version left without a number. Otherwise the next post of their guild
  // would do it, and readers must not have to wait for that.
  if (accounts.hasOlder()) {
    inTransaction(db, () => {
      accounts.begin();
      accounts.numberOlder();
      accounts.flush();
    });
  }
  const lock = createWriteLock(db);
  const transaction = { begin: lock.begin, end: endTransaction };
  const savepoint = { begin: () => db.exec('SAVEPOINT part'), end: endSavepoint };
  let isHeld = false;
  let isHashing = false;
  let commitStartMs = 0;
  let commitMs = 0;
  let trouble: string | undefined;
  // A counter that nobody reads. It has to change: SQLite writes no page for a row that stays the same.
  const probe = prepare(
    db,
    `INSERT INTO revision (part, value) VALUES ('probe', 1) ON CONFLICT (part) DO UPDATE SET value = value + 1`,
  );

  /** Turns a failure into a refusal of the waiting writes. Throws it again when the file can no longer be trusted. */
  function refuse(error: unknown): Reply {
    if (faultKind(error) === 'fatal') {
      throw error;
    }
    trouble = describeUnwritable(error);
    return toReply(toDomainError(error));
  }

  /** A refusal comes before any change, so the rest of the batch is kept. Any other error rolls the batch back. */
  function toRefusal(error: unknown): Reply {
    if (error instanceof DomainError) {
      return toReply(error);
    }
    throw error;
  }

  /** Posts return at once. The writes of stored features return promises, which settle before anything else runs. */
  function runOne({ name, input }: NamedWrite<keyof Writes>): MaybePromise<Reply> {
    try {
      // The sender is typed by the same set of writes, so the input fits the name.
      const value = (writes[name] as (input: unknown) => unknown)(input);
      return value instanceof Promise ? value.then((settled) => ({ value: settled }), toRefusal) : { value };
    } catch (error) {
      return toRefusal(error);
    }
  }

  // Some failures, a full disk among them, have rolled back everything already: then there is nothing to undo.
  function endTransaction(step: 'commit' | 'undo'): void {
    if (step === 'commit' || db.isTransaction) {
      db.exec(step === 'commit' ? 'COMMIT' : 'ROLLBACK');
    }
    lock.ended();
  }

  function endSavepoint(step: 'commit' | 'undo'): void {
    if (step === 'commit' || db.isTransaction) {
      db.exec(step === 'commit' ? 'RELEASE part' : 'ROLLBACK TO part; RELEASE part');
    }
  }

  function runHold(step: 'begin' | 'commit' | 'undo'): Reply[] {
    try {
      if (step === 'begin') {
        lock.begin();
      } else {
        endTransaction(step);
      }
      isHeld = step === 'begin';
      if (step === 'undo') {
        accounts.forget();
      }
      return [{ value: undefined }];
    } catch (error) {
      return [refuse(error)];
    }
  }

  /**
   * Runs work in a transaction of its own, or in a savepoint of the held one, so that a failure undoes only this
   * work.
   */
  async function transact<Result>(work: () => MaybePromise<Result>): Promise<Result> {
    if (isHeld && !db.isTransaction) {
      // A full disk rolled the held transaction back. Later work must not be committed on its own.
      throw new DomainError('store_unavailable', { retryAfterSeconds: 1 });
    }
    const { begin, end } = isHeld ? savepoint : transaction;
    begin();
    try {
      const result = await work();
      end('commit');
      return result;
    } catch (error) {
      end('undo');
      throw error;
    }
  }

  async function runAll(batch: NamedWrite<keyof Writes>[]): Promise<Reply[]> {
    accounts.begin();
    leaves.forget();
    const replies: Reply[] = [];
    for (const write of batch) {
      const reply = runOne(write);
      replies.push(reply instanceof Promise ? await reply : reply);
    }
    accounts.flush();
    commitStartMs = performance.now();
    return replies;
  }

  async function runBatch(batch: NamedWrite<keyof Writes>[]): Promise<Reply[]> {
    try {
      const replies = await transact(() => runAll(batch));
      commitMs = performance.now() - commitStartMs;
      if (isHeld) {
        // The held transaction may be rolled back later.
        leaves.forget();
      } else {
        leaves.commit();
      }
      return replies;
    } catch (error) {
      accounts.forget();
      leaves.forget();
      // A defect in one write must not fail the others: each is committed alone.
      if (faultKind(error) === 'defect' && batch.length > 1) {
        return runEach(batch);
      }
      const refusal = refuse(error);
      return batch.map(() => refusal);
    }
  }

  async function runEach(batch: NamedWrite<keyof Writes>[]): Promise<Reply[]> {
    const replies: Reply[] = [];
    for (const write of batch) {
      replies.push(...(await runBatch([write])));
    }
    return replies;
  }

  async function runProbe(): Promise<Reply[]> {
    try {
      await transact(() => probe.run());
      return [{ value: undefined }];
    } catch (error) {
      return [refuse(error)];
    }
  }

  function truncate(): Reply[] {
    try {
      if (!db.isTransaction) {
        truncateWal(db);
      }
      return [{ value: undefined }];
    } catch (error) {
      return [refuse(error)];
    }
  }

  /** Hashes posts between batches: clients wait for the batches. */
  function hashWhenIdle(): void {
    if (!isHashing) {
      isHashing = true;
      setImmediate(hashSome);
    }
  }

  function hashSome(): void {
    try {
      isHashing = leaves.hash(HASHED_AT_ONCE);
    } catch {
      // Must not end the store, which is in order. The sealer reads the row of this post, and reports the error.
      isHashing = false;
    }
    if (isHashing) {
      setImmediate(hashSome);
    }
  }

  function replyTo(request: WriterRequest): MaybePromise<Reply[]> {
    if ('truncateWal' in request) {
      return truncate();
    }
    if ('probe' in request) {
      return runProbe();
    }
    return 'hold' in request ? runHold(request.hold) : runBatch(unpackWrites(request.runs));
  }

  return {
    async answer(request) {
      commitMs = 0;
      trouble = undefined;
      const replies = await replyTo(request);
      hashWhenIdle();
      return { ...packReplies(replies), commitMs, trouble, leaves: leaves.take() };
    },
    close: () => db.close(),
  };
}

serveWorkerThread(openWriter);
