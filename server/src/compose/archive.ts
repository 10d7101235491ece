import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config.ts';
import { DAY_MS, dayOf, dayText, parseDay, startOfDayMs } from '../domain/calendar.ts';
import { OperatorError } from '../domain/errors.ts';
import type { MoneySums } from '../domain/ledger/ledger-views.ts';
import { addUp } from '../domain/ledger/overview.ts';
import type { GuildRef } from '../domain/model.ts';
import {
  type ArchiveContents,
  type ArchiveFile,
  archiveName,
  checkArchiveFile,
  createArchiveFile,
  createSums,
} from '../import-export/archive-file.ts';
import {
  type ArchiveAccess,
  type ArchivedTransaction,
  listGuilds,
  markArchived,
  readState,
  readStretch,
  removeArchived,
  removeArchivedKeys,
} from '../store/operations/archive.ts';
import { isPostgres, sqliteFile } from './stores.ts';

/** Younger transactions are never archived. */
const AGE_DAYS_MIN = 365;
const ROWS_PER_READ = 1_000;
/** Rows removed in one commit: posts of the guild wait for it. */
const ROWS_PER_REMOVAL = 500;
const KEYS_PER_STEP = 1_000;

export interface ArchiveOptions {
  /** A day such as `2026-01-31`, in UTC. Transactions from before it are archived. */
  before: string;
  folder: string;
  guildId?: string | undefined;
  isDryRun: boolean;
  nowMs: number;
  stop: AbortSignal;
  onProgress: (state: { archived: number; removed: number }) => void;
  /** Called before each step that changes something, so that tests can interrupt there. */
  onStep?: (step: string) => void;
}

/** Transactions of one guild and year in an archive file. */
export interface ArchivedYear {
  guildId: string;
  year: number;
  sums: MoneySums;
  /** Undefined in a dry run. */
  file: string | undefined;
}

/**
 * Writes transactions from before a day into files, a file for each guild and year, and then removes them from the store.
 * Files are complete and checked before anything is removed. A run that is cut off is completed by the next one.
 */
export async function archiveStore(
  config: Pick<Config, 'databaseUrl' | 'idempotencyDays'>,
  options: ArchiveOptions,
): Promise<ArchivedYear[]> {
  const beforeMs = readBefore(config, options);
  const access = await openAccess(config);
  try {
    const guilds = (await access.read(listGuilds)).filter(
      ({ guildId }) => options.guildId === undefined || guildId === options.guildId,
    );
    if (guilds.length === 0 && options.guildId !== undefined) {
      throw new OperatorError(`there is no guild ${options.guildId}`);
    }
    const run = createRun(access, options, beforeMs);
    const years: ArchivedYear[] = [];
    for (const guild of guilds) {
      years.push(...(await run(guild)));
    }
    return years;
  } finally {
    await access.close();
  }
}

/** Reads a file as a whole and checks it. */
export function checkArchive(file: string): Promise<ArchiveContents> {
  return checkArchiveFile(file);
}

async function openAccess(place: Pick<Config, 'databaseUrl'>): Promise<ArchiveAccess> {
  if (!isPostgres(place)) {
    const { openSqliteArchive } = await import('../store/sqlite/archive.ts');
    return openSqliteArchive(sqliteFile(place));
  }
  const { parseDatabaseUrl } = await import('../store/postgres/connection.ts');
  const { openPostgresArchive } = await import('../store/postgres/archive.ts');
  return openPostgresArchive(parseDatabaseUrl(place.databaseUrl));
}

function readBefore(
  { idempotencyDays }: Pick<Config, 'idempotencyDays'>,
  { before, nowMs }: ArchiveOptions,
): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(before) ? parseDay(before) : Number.NaN;
  if (Number.isNaN(day) || dayText(day) !== before) {
    throw new OperatorError(`--before must be a day such as 2026-01-31, and not ${before}`);
  }
  const days = Math.max(AGE_DAYS_MIN, idempotencyDays);
  const latest = dayOf(nowMs - days * DAY_MS);
  if (day > latest) {
    const why =
      days === AGE_DAYS_MIN
        ? 'transactions of the last year are not archived'
        : `idempotency keys are remembered for ${idempotencyDays} days (IDEMPOTENCY_DAYS)`;
    throw new OperatorError(`--before must be ${dayText(latest)} or earlier: ${why}`);
  }
  return startOfDayMs(day);
}

function createRun(access: ArchiveAccess, options: ArchiveOptions, beforeMs: number) {
  const { folder, isDryRun, stop, onProgress, onStep = () => {} } = options;
  const progress = { archived: 0, removed: 0 };

  function step(name: string): void {
    if (stop.aborted) {
      throw new OperatorError('stopped: run the same command again to go on');
    }
    onStep(name);
  }

  function removeKeys(guildNo: number, after: string): Promise<string | undefined> {
    return access.run((sql) => removeArchivedKeys(sql, { guildNo, after, limit: KEYS_PER_STEP }));
  }

  /** Removes the rows of everything that is in files, also of what an earlier run has left. */
  async function removeRows({ guildNo }: GuildRef): Promise<void> {
    const { throughNumber, removedNumber } = await access.read((sql) => readState(sql, guildNo));
    if (removedNumber === throughNumber) {
      return;
    }
    let after: string | undefined = '';
    while (after !== undefined) {
      step('keys');
      after = await removeKeys(guildNo, after);
    }
    let count: number;
    do {
      step('rows');
      count = await access.run((sql) => removeArchived(sql, { guildNo, limit: ROWS_PER_REMOVAL }));
      progress.removed += count;
      onProgress(progress);
    } while (count > 0);
  }

  async function writeYears(guild: GuildRef, afterNumber: number): Promise<Stretch> {
    const years = new Map<number, OpenYear>();
    let throughNumber = afterNumber;
    try {
      for await (const transaction of archivable(access, { guildNo: guild.guildNo, afterNumber, beforeMs })) {
        const year = new Date(transaction.createdAtMs).getUTCFullYear();
        let open = years.get(year);
        if (open === undefined) {
          step('file');
          const { guildId } = guild;
          const target = path.join(folder, archiveName({ guildId, year, afterNumber }));
          const file = isDryRun ? undefined : createArchiveFile(target, { guildId, year });
          open = { sums: createSums(), target, file };
          years.set(year, open);
        }
        await open.file?.add(transaction);
        open.sums.add(transaction.totalUnits);
        throughNumber = transaction.number;
        progress.archived += 1;
        onProgress(progress);
      }
      for (const { file } of years.values()) {
        step('finish');
        await file?.finish();
      }
    } catch (error) {
      for (const { file } of years.values()) {
        file?.abandon();
      }
      throw error;
    }
    return {
      throughNumber,
      years: Array.from(years, ([year, { sums, target, file }]) => ({
        guildId: guild.guildId,
        year,
        sums: sums.read(),
        file: file && target,
      })),
    };
  }

  return async (guild: GuildRef): Promise<ArchivedYear[]> => {
    const { guildNo } = guild;
    if (!isDryRun) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await removeRows(guild);
    }
    const { throughNumber: afterNumber } = await access.read((sql) => readState(sql, guildNo));
    const { throughNumber, years } = await writeYears(guild, afterNumber);
    if (!isDryRun && throughNumber > afterNumber) {
      step('mark');
      const sums = addUp(years.map((year) => year.sums));
      await access.run((sql) => markArchived(sql, { guildNo, afterNumber, throughNumber, beforeMs, sums }));
      await removeRows(guild);
    }
    return years;
  };
}

/** A year that is being written. */
interface OpenYear {
  sums: ReturnType<typeof createSums>;
  target: string;
  /** Undefined in a dry run. */
  file: ArchiveFile | undefined;
}

interface Stretch {
  throughNumber: number;
  years: ArchivedYear[];
}

/**
 * The transactions after a number up to the first one that is not old enough. A payment is never divided: when its
 * second side is too young, its first side stays too.
 */
async function* archivable(
  access: ArchiveAccess,
  { guildNo, afterNumber, beforeMs }: { guildNo: number; afterNumber: number; beforeMs: number },
): AsyncGenerator<ArchivedTransaction> {
  let held: ArchivedTransaction | undefined;
  let last = afterNumber;
  for (;;) {
    const from = last;
    const rows = await access.read((sql) =>
      readStretch(sql, { guildNo, afterNumber: from, limit: ROWS_PER_READ }),
    );
    for (const row of rows) {
      const isWhole = row.paymentId === undefined || row.paymentId !== held?.paymentId;
      if (row.createdAtMs >= beforeMs) {
        if (held !== undefined && isWhole) {
          yield held;
        }
        return;
      }
      if (held !== undefined) {
        yield held;
      }
      held = row;
      last = row.number;
    }
    if (rows.length < ROWS_PER_READ) {
      if (held !== undefined) {
        yield held;
      }
      return;
    }
  }
}
