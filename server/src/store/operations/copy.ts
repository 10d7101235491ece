import { setImmediate as nextTurn } from 'node:timers/promises';
import { OperatorError } from '../../domain/errors.ts';
import { COPY_TABLES, type CopyRow, type CopyTable, type CopyValue } from './copy-tables.ts';
import type { VerifyProgress } from './verify-account.ts';

/** What a guild's ledger comes to, in exact decimal texts. */
export interface GuildTotals {
  guildNo: number;
  accounts: number;
  transactions: number;
  balances: string;
  totals: string;
}

/** A store that is read from. Nobody else writes to it as long as it is open. */
export interface CopySource {
  /** Where it is, without any secret: a copy that was cut off goes on only from the same place. */
  readonly name: string;
  /** Whether somebody else had the store open when this began. */
  readonly isInUse: boolean;
  count(table: CopyTable): Promise<number>;
  /** Rows in the key's order, so many at a time, beginning behind the given key. */
  read(table: CopyTable, after: readonly CopyValue[] | undefined): AsyncIterable<readonly CopyRow[]>;
  totals(): Promise<GuildTotals[]>;
  close(): Promise<void>;
}

/** A store that is written to. Until it is finished nobody can serve from it. */
export interface CopyTarget {
  /** The source of a copy that was begun and not finished. */
  findMark(): Promise<string | undefined>;
  /** Remembers that a copy from there is under way. */
  mark(sourceName: string): Promise<void>;
  count(table: CopyTable): Promise<number>;
  /** The key of the last row, in the key's order. */
  findLastKey(table: CopyTable): Promise<readonly CopyValue[] | undefined>;
  /** Writes rows in one commit. */
  write(table: CopyTable, rows: readonly CopyRow[]): Promise<void>;
  totals(): Promise<GuildTotals[]>;
  /** Everything that does not hold in the store. */
  verify(onProgress: VerifyProgress): Promise<string[]>;
  /** Brings counters in line with what was copied, and takes the mark away. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface CopyProgress {
  /** Called before anything is copied when somebody else has the source open. */
  onSourceInUse?: () => void;
  onRows: VerifyProgress;
  onVerify: VerifyProgress;
  /** Ends the copy before its time. What is there stays, to go on from. */
  stop?: AbortSignal | undefined;
}

/**
 * Copies everything, table by table in the order of their keys. What is there already is the beginning of each table, so
 * that a copy that was cut off goes on behind it. At the end the two are compared, and the copy is verified.
 * Returns how many rows there are.
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

/** The embedded store never waits, so that a signal is heard only when it is given a turn. */
async function assertNotStopped({ stop }: CopyProgress, state: string): Promise<void> {
  await nextTurn();
  if (stop?.aborted === true) {
    throw new OperatorError(
      `stopped: ${state}, and the target cannot be served as it is\n` +
        '  Run the same command again to go on from there, or empty the target.',
    );
  }
}

/** Only an empty store, or one in which a copy from the same place was begun, is written to. */
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
