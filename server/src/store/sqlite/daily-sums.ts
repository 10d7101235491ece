import type { DatabaseSync } from 'node:sqlite';
import { dayOf } from '../../domain/calendar.ts';
import { SOURCES_PER_DAY_MAX } from '../../domain/ledger/ledger-views.ts';
import { addUnits, type WideSum } from '../ledger/wide-sum.ts';
import { prepare } from './connection.ts';

/** The name of the row that sources without a row of their own share. No source can have this name. */
export const OTHER_SOURCES = '';

export interface Money {
  depositCount: number;
  deposits: WideSum;
  withdrawalCount: number;
  withdrawals: WideSum;
}

interface Day {
  guildNo: number;
  day: number;
  accountsOpened: number;
  money: Money;
  sources: Map<string, Money>;
}

export interface CountedTransaction {
  seq: number;
  totalUnits: number;
  source: string;
  createdAtMs: number;
}

export interface DailySums {
  /** Adds a transaction that was just inserted. */
  add(guildNo: number, transaction: CountedTransaction): void;
  /** Writes the sums collected so far. Call it right before the commit, so that a batch updates each row once. */
  flush(): void;
  /** Drops the sums collected so far, because their transactions were rolled back. */
  forget(): void;
}

/** Adds the transactions of a batch to the sums of each guild and day, and of each of its sources. */
export function createDailySums(db: DatabaseSync): DailySums {
  const writeDay = createDayWriter(db);
  const writeSources = createSourceWriter(db);
  const days = new Map<string, Day>();
  // Most transactions of a batch have the same day as the one before.
  let last: Day | undefined;

  function openDay(guildNo: number, day: number): Day {
    if (last?.guildNo === guildNo && last.day === day) {
      return last;
    }
    const key = `${guildNo} ${day}`;
    last = days.get(key) ?? { guildNo, day, accountsOpened: 0, money: noMoney(), sources: new Map() };
    days.set(key, last);
    return last;
  }

  function forget(): void {
    days.clear();
    last = undefined;
  }

  return {
    add(guildNo, { seq, totalUnits, source, createdAtMs }) {
      const day = openDay(guildNo, dayOf(createdAtMs));
      let ofSource = day.sources.get(source);
      if (ofSource === undefined) {
        ofSource = noMoney();
        day.sources.set(source, ofSource);
      }
      day.accountsOpened += seq === 1 ? 1 : 0;
      addMoney(day.money, totalUnits);
      addMoney(ofSource, totalUnits);
    },
    flush() {
      for (const day of days.values()) {
        writeDay(day);
        writeSources(day);
      }
      forget();
    },
    forget,
  };
}

export function noMoney(): Money {
  return {
    depositCount: 0,
    deposits: { high: 0, low: 0 },
    withdrawalCount: 0,
    withdrawals: { high: 0, low: 0 },
  };
}

export function addMoney(money: Money, totalUnits: number): void {
  if (totalUnits > 0) {
    money.depositCount += 1;
    addUnits(money.deposits, totalUnits);
  } else {
    money.withdrawalCount += 1;
    addUnits(money.withdrawals, -totalUnits);
  }
}

/** Adds both parts of each sum, and carries what exceeds the lower 52 bits. */
function addedMoney(table: string): string {
  const sum = (name: string) =>
    `${name}_count = ${table}.${name}_count + excluded.${name}_count,
     ${name}_high = ${table}.${name}_high + excluded.${name}_high
       + ((${table}.${name}_low + excluded.${name}_low) >> 52),
     ${name}_low = (${table}.${name}_low + excluded.${name}_low) & 4503599627370495`;
  return `${sum('deposit')}, ${sum('withdrawal')}`;
}

const MONEY_COLUMNS =
  'deposit_count, deposit_high, deposit_low, withdrawal_count, withdrawal_high, withdrawal_low';

function moneyValues({ depositCount, deposits, withdrawalCount, withdrawals }: Money): number[] {
  return [depositCount, deposits.high, deposits.low, withdrawalCount, withdrawals.high, withdrawals.low];
}

function createDayWriter(db: DatabaseSync): (day: Day) => void {
  const add = prepare(
    db,
    `INSERT INTO guild_day (guild_no, day, accounts_opened, ${MONEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (guild_no, day) DO UPDATE SET
       accounts_opened = guild_day.accounts_opened + excluded.accounts_opened, ${addedMoney('guild_day')}`,
  );
  return ({ guildNo, day, accountsOpened, money }) => {
    add.run(guildNo, day, accountsOpened, ...moneyValues(money));
  };
}

/**
 * A source has a row of its own when it has one already or the day has room for it; otherwise it shares
 * OTHER_SOURCES.
 */
function createSourceWriter(db: DatabaseSync): (day: Day) => void {
  const find = prepare<{ found: number }>(
    db,
    'SELECT 1 AS found FROM guild_day_source WHERE guild_no = ? AND day = ? AND source = ?',
  );
  const countNamed = prepare<{ count: number }>(
    db,
    "SELECT count(*) AS count FROM guild_day_source WHERE guild_no = ? AND day = ? AND source <> ''",
  );
  const add = prepare(
    db,
    `INSERT INTO guild_day_source (guild_no, day, source, ${MONEY_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (guild_no, day, source) DO UPDATE SET ${addedMoney('guild_day_source')}`,
  );
  return ({ guildNo, day, sources }) => {
    let named: number | undefined;
    for (const [source, money] of sources) {
      let name = source;
      if (find.get(guildNo, day, source) === undefined) {
        named ??= countNamed.get(guildNo, day)?.count ?? 0;
        name = named < SOURCES_PER_DAY_MAX ? source : OTHER_SOURCES;
        named += name === source ? 1 : 0;
      }
      add.run(guildNo, day, name, ...moneyValues(money));
    }
  };
}
