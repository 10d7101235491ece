import type { DatabaseSync } from 'node:sqlite';
import { dayOf, dayText, startOfDayMs } from '../../domain/calendar.ts';
import { SOURCES_PER_DAY_MAX } from '../../domain/ledger/ledger-views.ts';
import { prepare } from './connection.ts';
import { addMoney, type CountedTransaction, type Money, noMoney, OTHER_SOURCES } from './daily-sums.ts';

interface MoneyRow {
  depositCount: number;
  depositHigh: number;
  depositLow: number;
  withdrawalCount: number;
  withdrawalHigh: number;
  withdrawalLow: number;
}

/** A guild's day, recomputed. Holds only the sources that have stored sums, however many the day had. */
interface Recount {
  guildNo: number;
  day: number;
  accountsOpened: number;
  money: Money;
  sources: Map<string, Money>;
}

interface Stored {
  day: (MoneyRow & { accountsOpened: number }) | undefined;
  sources: Map<string, MoneyRow>;
}

const MONEY = `deposit_count AS depositCount, deposit_high AS depositHigh, deposit_low AS depositLow,
  withdrawal_count AS withdrawalCount, withdrawal_high AS withdrawalHigh, withdrawal_low AS withdrawalLow`;

/** Recomputes every day of every guild in the order of time, in one pass and with memory for one day. */
export function checkDailySums(
  db: DatabaseSync,
  add: (finding: string) => void,
  advance: (count: number) => void,
): void {
  const rows = prepare<CountedTransaction & { guildNo: number }>(
    db,
    `SELECT guild_no AS guildNo, seq, total AS totalUnits, source, created_at AS createdAtMs
     FROM ledger_transaction INDEXED BY ledger_by_time ORDER BY guild_no, created_at`,
  );
  const readStored = createStoredReader(db);
  const report = createReport(db, add, advance);
  let stored: Stored | undefined;
  let recount: Recount | undefined;
  for (const row of rows.iterate()) {
    const day = dayOf(row.createdAtMs);
    if (recount?.guildNo !== row.guildNo || recount.day !== day) {
      report(recount, stored);
      stored = readStored(row.guildNo, day);
      recount = beginDay(row.guildNo, day, stored);
    }
    countAgain(recount, row);
  }
  report(recount, stored);
}

function beginDay(guildNo: number, day: number, stored: Stored): Recount {
  const named = Array.from(stored.sources.keys(), (source): [string, Money] => [source, noMoney()]);
  return {
    guildNo,
    day,
    accountsOpened: 0,
    money: noMoney(),
    sources: new Map([[OTHER_SOURCES, noMoney()], ...named]),
  };
}

function countAgain(recount: Recount, { seq, totalUnits, source }: CountedTransaction): void {
  recount.accountsOpened += seq === 1 ? 1 : 0;
  addMoney(recount.money, totalUnits);
  const ofSource = recount.sources.get(source) ?? recount.sources.get(OTHER_SOURCES);
  if (ofSource !== undefined) {
    addMoney(ofSource, totalUnits);
  }
}

function createStoredReader(db: DatabaseSync): (guildNo: number, day: number) => Stored {
  const findDay = prepare<MoneyRow & { accountsOpened: number }>(
    db,
    `SELECT accounts_opened AS accountsOpened, ${MONEY} FROM guild_day WHERE guild_no = ? AND day = ?`,
  );
  const findSources = prepare<MoneyRow & { source: string }>(
    db,
    `SELECT source, ${MONEY} FROM guild_day_source WHERE guild_no = ? AND day = ?`,
  );
  return (guildNo, day) => ({
    day: findDay.get(guildNo, day),
    sources: new Map(findSources.all(guildNo, day).map((row) => [row.source, row])),
  });
}

function createReport(db: DatabaseSync, add: (finding: string) => void, advance: (count: number) => void) {
  const findGuild = prepare<{ guildId: string }>(
    db,
    'SELECT guild_id AS guildId FROM guild WHERE guild_no = ?',
  );
  const findArchive = prepare<{ beforeMs: number }>(
    db,
    'SELECT before_at AS beforeMs FROM archive WHERE guild_no = ?',
  );
  return (recount: Recount | undefined, stored: Stored | undefined): void => {
    if (recount === undefined || stored === undefined) {
      return;
    }
    advance(recount.money.depositCount + recount.money.withdrawalCount);
    // The archive may have other transactions of the day.
    if (
      startOfDayMs(recount.day) < (findArchive.get(recount.guildNo)?.beforeMs ?? Number.NEGATIVE_INFINITY)
    ) {
      return;
    }
    const guildId = findGuild.get(recount.guildNo)?.guildId ?? `number ${recount.guildNo}`;
    for (const finding of compareDay(recount, stored)) {
      add(`guild ${guildId} on ${dayText(recount.day)}: ${finding}`);
    }
  };
}

function* compareDay(recount: Recount, stored: Stored): Generator<string> {
  const { day, sources } = stored;
  if (day === undefined || day.accountsOpened !== recount.accountsOpened || !isSame(day, recount.money)) {
    yield 'its sums are not those of its transactions';
  }
  for (const [source, money] of recount.sources) {
    const row = sources.get(source);
    const isRight = row === undefined ? isNothing(money) : isSame(row, money) && !isNothing(money);
    if (!isRight) {
      const name = source === OTHER_SOURCES ? 'the other sources' : `source ${source}`;
      yield `the sums of ${name} are not those of its transactions`;
    }
  }
  if (sources.size - (sources.has(OTHER_SOURCES) ? 1 : 0) > SOURCES_PER_DAY_MAX) {
    yield `more than ${SOURCES_PER_DAY_MAX} sources have sums`;
  }
}

function isNothing({ depositCount, withdrawalCount }: Money): boolean {
  return depositCount + withdrawalCount === 0;
}

function isSame(row: MoneyRow, { depositCount, deposits, withdrawalCount, withdrawals }: Money): boolean {
  return (
    row.depositCount === depositCount &&
    row.depositHigh === deposits.high &&
    row.depositLow === deposits.low &&
    row.withdrawalCount === withdrawalCount &&
    row.withdrawalHigh === withdrawals.high &&
    row.withdrawalLow === withdrawals.low
  );
}
