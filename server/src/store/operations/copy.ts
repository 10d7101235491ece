import { setImmediate as nextTurn } from 'node:timers/promises';
import { OperatorError } from '../../domain/errors.ts';
import { COPY_TABLES, type CopyRow, type CopyTable, type CopyValue } from './copy-tables.ts';
import type { VerifyProgress } from './verify-account.ts';

/** Counts and sums of a guild's ledger. The sums are exact decimal texts. */
export interface GuildTotals {
  guildNo: number;
  accounts: number;
  transactions: number;
  balances: string;
  totals: string;
}

/** A store to read from. Nobody else writes to it while it is open. */
export interface CopySource {
  /** Its address without any secret. An interrupted copy is continued only from the same source. */
  readonly name: string;
  /** True when somebody else had the store open at the start. */
  readonly isInUse: boolean;
  count(table: CopyTable): Promise<number>;
  /** Batches of rows in the order of the key, starting after the given key. */
  read(table: CopyTable, after: readonly CopyValue[] | undefined): AsyncIterable<readonly CopyRow[]>;
  totals(): Promise<GuildTotals[]>;
  close(): Promise<void>;
}

/** A store to write to. It cannot be served until the copy is finished. */
export interface CopyTarget {
  /** The source of a copy that was begun and not finished. */
  findMark(): Promise<string | undefined>;
  /** Records that a copy from this source has begun. */
  mark(sourceName: string): Promise<void>;
  count(table: CopyTable): Promise<number>;
  /** The key of the last row, in the key's order. */
  findLastKey(table: CopyTable): Promise<readonly CopyValue[] | undefined>;
  /** Writes rows in one commit. */
  write(table: CopyTable, rows: readonly CopyRow[]): Promise<void>;
  totals(): Promise<GuildTotals[]>;
  /** Checks the store and returns the violations found. */
  verify(onProgress: VerifyProgress): Promise<string[]>;
  /** Sets the counters to match the copied rows, and removes the mark. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyProgress {
  /** Called before anything is copied when somebody else has the source open. */
  onSourceInUse?: () => void;
  onRows: VerifyProgress;
  onVerify: VerifyProgress;
  /** Stops the copy early. Copied rows stay, and the next run continues after them. */
  stop?: AbortSignal | undefined;
}

/**
 * Copies all tables in the order of their keys. The rows that the target has already are the beginning of each table,
 * so an interrupted copy continues after them. Compares both stores at the end, and verifies the copy. Returns the
 * number of rows.
 */
export async function copyStore(
  source: CopySource,
  target: CopyTarget,
  progress: CopyProgress,
): Promise<number> {
  await claim(source, target);
  if (source.isInUse) {
    progress.onSourceInUse?.();
  }
  let total = 0;
  for (const table of COPY_TABLES) {
    total += await source.count(table);
  }
  let done = 0;
  for (const table of COPY_TABLES) {
    done += await target.count(table);
    progress.onRows({ done, total });
    for await (const rows of source.read(table, await target.findLastKey(table))) {
      await target.write(table, rows);
      done += rows.length;
      progress.onRows({ done, total });
      await assertNotStopped(progress, `${done} of ${total} rows are copied`);
    }
  }
  await compare(source, target);
  const findings = await target.verify(progress.onVerify);
  await assertNotStopped(progress, 'all rows are copied');
  if (findings.length > 0) {
    throw new OperatorError(
      ['the copy has faults:', ...findings.map((finding) => `  ${finding}`)].join('\n'),
    );
  }
  await target.finish();
  return total;
}

/** The embedded store is synchronous, so a signal arrives only after a turn of the event loop. */
async function assertNotStopped({ stop }: CopyProgress, state: string): Promise<void> {
  await nextTurn();
  if (stop?.aborted === true) {
    throw new OperatorError(
      `stopped: ${state}, and the target cannot be served as it is\n` +
        '  Run the same command again to go on from there, or empty the target.',
    );
  }
}

/** Refuses a target that is neither empty nor an unfinished copy of the same source. */
async function claim(source: CopySource, target: CopyTarget): Promise<void> {
  const mark = await target.findMark();
  if (mark === source.name) {
    return;
  }
  if (mark !== undefined) {
    throw new OperatorError(`the target is an unfinished copy of ${mark}: go on with that one, or empty it`);
  }
  for (const table of COPY_TABLES) {
    if ((await target.count(table)) > 0) {
      throw new OperatorError('the target has data of its own: copy into an empty store');
    }
  }
  await target.mark(source.name);
}

async function compare(source: CopySource, target: CopyTarget): Promise<void> {
  const differences: string[] = [];
  for (const table of COPY_TABLES) {
    const [ours, theirs] = [await source.count(table), await target.count(table)];
    if (ours !== theirs) {
      differences.push(`${table.name} has ${ours} rows, the copy ${theirs}`);
    }
  }
  const copied = new Map((await target.totals()).map((totals) => [totals.guildNo, totals]));
  for (const totals of await source.totals()) {
    if (JSON.stringify(copied.get(totals.guildNo)) !== JSON.stringify(totals)) {
      differences.push(`the balances of guild number ${totals.guildNo} are not those of the source`);
    }
  }
  if (differences.length > 0) {
    const advice = 'the source was changed since the copy was begun: empty the target and copy again';
    throw new OperatorError(['the copy is not like the source:', ...differences, advice].join('\n  '));
  }
}
