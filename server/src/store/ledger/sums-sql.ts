import type { Dialect } from '../dialect.ts';

// Sums of money can exceed 64 bits. PostgreSQL has `numeric`. SQLite adds up parts of 26 bits and returns them as text, the
// highest first: "3:41". `readSum` reads both.

const PART_BITS = 26n;
const LOW = 67_108_863;

/** A sum as its column returns it: null without any rows. */
export type SumText = string | null;

export function readSum(text: SumText | undefined): bigint {
  return (text ?? '0').split(':').reduce((sum, part) => (sum << PART_BITS) + BigInt(part), 0n);
}

interface Summand {
  /** An amount that is not negative wherever the condition holds. */
  units: string;
  condition: string;
}

const DEPOSITS: Summand = { units: 't.total', condition: 't.total > 0' };
const WITHDRAWALS: Summand = { units: '-t.total', condition: 't.total < 0' };
/** Both together, as positive amounts. */
export const TURNOVER: Summand = { units: 'abs(t.total)', condition: 'true' };

function parts({ units, condition }: Summand): { high: string; low: string } {
  return {
    high: `sum((${units}) >> 26) FILTER (WHERE ${condition})`,
    low: `sum((${units}) & ${LOW}) FILTER (WHERE ${condition})`,
  };
}

/** Adds up transactions `t`. */
function sumOf({ engine }: Dialect, summand: Summand): string {
  const { high, low } = parts(summand);
  return engine === 'sqlite'
    ? `${high} || ':' || ${low}`
    : `sum((${summand.units})::numeric) FILTER (WHERE ${summand.condition})`;
}

/** Columns by which grouped transactions are ordered by a sum. `largestFirst` uses their names. */
export function orderColumns({ engine }: Dialect, summand: Summand, name: string): string {
  const { high, low } = parts(summand);
  return engine === 'sqlite'
    ? `${high} + (${low} >> 26) AS ${name}_high, ${low} & ${LOW} AS ${name}_low`
    : `sum((${summand.units})::numeric) FILTER (WHERE ${summand.condition}) AS ${name}_sum`;
}

export function largestFirst({ engine }: Dialect, name: string): string {
  return engine === 'sqlite' ? `${name}_high DESC, ${name}_low DESC` : `${name}_sum DESC`;
}

/** Counts and sums of grouped transactions `t`, as a `MoneyRow`. */
export function summedColumns(dialect: Dialect): string {
  return `count(*) FILTER (WHERE ${DEPOSITS.condition}) AS "depositCount", ${sumOf(dialect, DEPOSITS)} AS "depositUnits",
    count(*) FILTER (WHERE ${WITHDRAWALS.condition}) AS "withdrawalCount", ${sumOf(dialect, WITHDRAWALS)} AS "withdrawalUnits"`;
}

/** Columns by which grouped transactions are ordered by deposits and by withdrawals. */
export function bothOrders(dialect: Dialect): string {
  return `${orderColumns(dialect, DEPOSITS, 'deposit')}, ${orderColumns(dialect, WITHDRAWALS, 'withdrawal')}`;
}

type Direction = 'deposit' | 'withdrawal';

/** Adds up the daily sums of many days. SQLite keeps each in two columns of 52 bits, see `wide-sum.ts`. */
function sumOfDays({ engine }: Dialect, name: Direction): string {
  return engine === 'sqlite'
    ? `sum(${name}_high) || ':' || sum(${name}_low >> 26) || ':' || sum(${name}_low & ${LOW})`
    : `sum(${name}_units)`;
}

/** Counts and sums of many days, as a `MoneyRow`. */
export function summedDays(dialect: Dialect): string {
  return `CAST(sum(deposit_count) AS bigint) AS "depositCount", ${sumOfDays(dialect, 'deposit')} AS "depositUnits",
    CAST(sum(withdrawal_count) AS bigint) AS "withdrawalCount", ${sumOfDays(dialect, 'withdrawal')} AS "withdrawalUnits"`;
}

/** Counts and sums of one day, as a `MoneyRow`. */
export function dayColumns({ engine }: Dialect): string {
  const units = (name: Direction) =>
    engine === 'sqlite'
      ? `${name}_high || ':' || (${name}_low >> 26) || ':' || (${name}_low & ${LOW})`
      : `${name}_units`;
  return `deposit_count AS "depositCount", ${units('deposit')} AS "depositUnits",
    withdrawal_count AS "withdrawalCount", ${units('withdrawal')} AS "withdrawalUnits"`;
}

/** Orders grouped days by deposits and withdrawals together, the largest first. */
export function largestDaysFirst({ engine }: Dialect): string {
  if (engine === 'postgres') {
    return 'sum(deposit_units + withdrawal_units) DESC';
  }
  // Compares part by part with the carry, to be exact.
  const low = `sum((deposit_low & ${LOW}) + (withdrawal_low & ${LOW}))`;
  const middle = `(sum((deposit_low >> 26) + (withdrawal_low >> 26)) + (${low} >> 26))`;
  return `sum(deposit_high + withdrawal_high) + (${middle} >> 26) DESC, ${middle} & ${LOW} DESC, ${low} & ${LOW} DESC`;
}
