import {
  type FilteredSums,
  LOOKED_AT_MAX,
  type MoneySums,
  SUMMED_MAX,
  type ViewFilter,
} from '../../domain/ledger/ledger-views.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';
import { COUNT_DAYS, FIND_HIDING, FIND_PLACE } from './guild-listing.ts';
import {
  type CountedParts,
  countedKinds,
  countedParts,
  daysOf,
  type Stretch,
  stoppedAt,
  stretchOf,
  stretchValues,
  sumStretchSql,
  viewShape,
  viewValues,
} from './guild-listing-sql.ts';
import { type MoneyRow, toMoneySums } from './money-views.ts';
import type { SearchedFilter } from './searched.ts';
import { summedDays } from './sums-sql.ts';
import { FIND_ARCHIVE } from './turnover.ts';

const DAYS = 'WHERE guild_no = $1 AND day BETWEEN $2 AND $3';
const SUM_DAYS = statement<MoneyRow>(
  (dialect) => `SELECT ${summedDays(dialect)} FROM guild_day ${DAYS} HAVING count(*) > 0`,
);
const SUM_SOURCE_DAYS = statement<MoneyRow>(
  (dialect) =>
    `SELECT ${summedDays(dialect)} FROM guild_day_source ${DAYS} AND source = $4 HAVING count(*) > 0`,
);
const stretches = statementsByShape<MoneyRow>();

interface SumInput {
  guildNo: number;
  filter: SearchedFilter;
}

/**
 * Adds up the matches of a filter: by the daily sums where they are enough, otherwise transaction by transaction, the newest
 * `SUMMED_MAX` of the range.
 */
export async function filteredSums(sql: Sql, input: SumInput): Promise<FilteredSums> {
  await sql.preferIndexes();
  const exact = await sumByDays(sql, input);
  return exact === undefined ? sumNewest(sql, input) : { ...exact, searchedToMs: undefined };
}

/** Undefined when the daily sums are not enough, or a part of a day has too many transactions. */
async function sumByDays(sql: Sql, { guildNo, filter }: SumInput): Promise<MoneySums | undefined> {
  if (countedKinds(filter) === undefined) {
    return undefined;
  }
  const { days, pieces } = countedParts(filter);
  const { source } = filter;
  const range = [guildNo, days.first, days.last];
  if (source !== undefined && (await sql.first(FIND_HIDING, [...range, source])) !== undefined) {
    return undefined;
  }
  const whole =
    source === undefined
      ? await sql.first(SUM_DAYS, range)
      : await sql.first(SUM_SOURCE_DAYS, [...range, source]);
  let sums = toMoneySums(whole);
  for (const piece of pieces) {
    if (!(await isShort(sql, guildNo, piece))) {
      return undefined;
    }
    sums = add(sums, await sumStretch(sql, { guildNo, filter }, piece));
  }
  return withinBounds(sums, filter);
}

async function isShort(sql: Sql, guildNo: number, piece: CountedParts['pieces'][number]): Promise<boolean> {
  const { first, last } = daysOf(piece);
  return ((await sql.first(COUNT_DAYS, [guildNo, first, last]))?.entries ?? 0) <= LOOKED_AT_MAX;
}

/** The daily sums have both directions. Bounds of zero exclude one of them, or both: no amount is zero. */
function withinBounds(sums: MoneySums, { minUnits, maxUnits }: ViewFilter): MoneySums {
  return {
    ...sums,
    ...(maxUnits !== undefined && { depositCount: 0, depositUnits: 0n }),
    ...(minUnits !== undefined && { withdrawalCount: 0, withdrawalUnits: 0n }),
  };
}

async function sumNewest(sql: Sql, input: SumInput): Promise<FilteredSums> {
  const { guildNo, filter } = input;
  const whole = stretchOf({ ...filter, limit: 1 });
  const stop = await sql.first(FIND_PLACE.desc, [guildNo, ...stretchValues(whole), SUMMED_MAX]);
  const stretch = stop === undefined ? whole : stoppedAt(whole, stop, 'desc');
  const sums = await sumStretch(sql, input, stretch);
  const archivedMs = (await sql.first(FIND_ARCHIVE, [guildNo, whole.earlier.createdAtMs]))?.beforeMs;
  return { ...sums, searchedToMs: stop?.createdAtMs ?? archivedMs };
}

async function sumStretch(sql: Sql, { guildNo, filter }: SumInput, stretch: Stretch): Promise<MoneySums> {
  const sum = stretches(viewShape(filter), (dialect) => sumStretchSql(dialect, filter));
  return toMoneySums(await sql.first(sum, [guildNo, ...stretchValues(stretch), ...viewValues(filter)]));
}

function add(one: MoneySums, other: MoneySums): MoneySums {
  return {
    depositCount: one.depositCount + other.depositCount,
    depositUnits: one.depositUnits + other.depositUnits,
    withdrawalCount: one.withdrawalCount + other.withdrawalCount,
    withdrawalUnits: one.withdrawalUnits + other.withdrawalUnits,
  };
}
