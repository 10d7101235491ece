import { dayOf } from '../../domain/calendar.ts';
import {
  type GuildListing,
  type GuildListingQuery,
  type LedgerPosition,
  LOOKED_AT_FOR_SOURCE_MAX,
} from '../../domain/ledger/ledger-views.ts';
import type { DetailedRow } from '../detailed-row.ts';
import {
  DAY_COST,
  type GuildListingDialect,
  lookedAtMax,
  NEWEST,
  OLDEST,
  placeSql,
  type Stretch,
  startOfDay,
  stretchSql,
  stretchValues,
  toListing,
} from '../guild-listing-sql.ts';
import { detailedForm, filterShape, givenValues } from '../listing-sql.ts';
import { NO_HINTS, prepare, prepareOnDemand, type Runner, type Snapshot } from './statement.ts';

/** The guild is the first value of every statement that lists transactions. */
export const DETAILED_OF_GUILD = detailedForm('$1');

export const GUILD_DIALECT: GuildListingDialect = {
  ...NO_HINTS,
  timeIndexHint: '',
  // The order leaves the primary key: other indexes begin alike, and without statistics they look as good.
  rowOfEntry: `CROSS JOIN LATERAL (SELECT * FROM ledger_transaction AS o WHERE o.guild_no = $1
    AND o.account_no = e.account_no AND o.seq >= e.seq ORDER BY o.seq LIMIT 1) AS t`,
  form: DETAILED_OF_GUILD,
};

/** Whatever the statistics say, or before there are any: from entries of the index by time to their rows. */
const ALONG_INDEXES = prepare<object>(
  `SELECT ${[
    ['join_collapse_limit', '1'],
    ...['enable_bitmapscan', 'enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'].map((name) => [
      name,
      'off',
    ]),
  ]
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
);

/** So many days use up what may be looked at; one more shows that there are more. */
const DAYS_MAX = LOOKED_AT_FOR_SOURCE_MAX / DAY_COST + 1;

const FIND_PLACE = prepare<LedgerPosition>(placeSql(GUILD_DIALECT));
const FIND_DAYS = prepare<{ day: number; entries: number }>(
  `SELECT d.day, d.deposit_count + d.withdrawal_count AS entries FROM guild_day AS d
   WHERE d.guild_no = $1 AND d.day <= $2 AND EXISTS (SELECT 1 FROM guild_day_source AS s
     WHERE s.guild_no = $1 AND s.day = d.day AND s.source IN ($3, ''))
   ORDER BY d.day DESC LIMIT ${DAYS_MAX}`,
);
const COUNT_ALL = prepare<{ total: number }>(
  `SELECT coalesce(sum(deposit_count + withdrawal_count), 0)::bigint AS total FROM guild_day WHERE guild_no = $1`,
);
const COUNT_SOURCE = prepare<{ total: number }>(
  `SELECT coalesce(sum(s.deposit_count + s.withdrawal_count), 0)::bigint AS total FROM guild_day AS d
   CROSS JOIN guild_day_source AS s
   WHERE d.guild_no = $1 AND s.guild_no = $1 AND s.day = d.day AND s.source = $2`,
);
const FIND_HIDING = prepare<{ day: number }>(
  `SELECT d.day FROM guild_day AS d WHERE d.guild_no = $1
     AND EXISTS (SELECT 1 FROM guild_day_source AS s
       WHERE s.guild_no = $1 AND s.day = d.day AND s.source = '')
     AND NOT EXISTS (SELECT 1 FROM guild_day_source AS s
       WHERE s.guild_no = $1 AND s.day = d.day AND s.source = $2)
   LIMIT 1`,
);

/** A stretch of the list, and how many transactions it has at most. */
interface Leg extends Stretch {
  entries: number;
}

/** Lists a guild's transactions, newest first, looking at a bounded number of them. */
export function createGuildListing(inSnapshot: Snapshot) {
  const pages = prepareOnDemand<DetailedRow>();

  async function search(
    moment: Runner,
    guildNo: number,
    query: GuildListingQuery,
  ): Promise<Omit<GuildListing, 'total'>> {
    const page = pages(filterShape(query), () => stretchSql(GUILD_DIALECT, query));
    const rows: DetailedRow[] = [];
    let left = lookedAtMax(query);
    for (const leg of await findLegs(moment, guildNo, query)) {
      if (left <= 0) {
        return toListing(rows, query.limit, leg.from);
      }
      const stop = await findStop(moment, guildNo, leg, left);
      const values = stretchValues({ from: leg.from, to: stop ?? leg.to });
      // One more than the page has tells whether there is another page.
      const missing = query.limit + 1 - rows.length;
      rows.push(...(await moment.all(page, [guildNo, ...values, ...givenValues(query), missing])));
      if (rows.length > query.limit || stop !== undefined) {
        return toListing(rows, query.limit, stop);
      }
      left -= Math.max(leg.entries, DAY_COST);
    }
    return toListing(rows, query.limit, undefined);
  }

  return (guildNo: number, query: GuildListingQuery): Promise<GuildListing> =>
    inSnapshot(async (moment) => {
      await moment.all(ALONG_INDEXES);
      return { ...(await search(moment, guildNo, query)), total: await count(moment, guildNo, query) };
    });
}

/** Where to stop looking so that no more than so many are looked at; undefined when the leg is no longer than that. */
async function findStop(
  moment: Runner,
  guildNo: number,
  leg: Leg,
  max: number,
): Promise<LedgerPosition | undefined> {
  return leg.entries <= max ? undefined : moment.first(FIND_PLACE, [guildNo, ...stretchValues(leg), max - 1]);
}

/** The whole list in one leg, or for one source the days that have it, newest first. */
async function findLegs(moment: Runner, guildNo: number, query: GuildListingQuery): Promise<Leg[]> {
  const { before = NEWEST, source } = query;
  if (source === undefined) {
    return [{ from: before, to: OLDEST, entries: Number.POSITIVE_INFINITY }];
  }
  const firstDay = dayOf(before.createdAtMs);
  const days = await moment.all(FIND_DAYS, [guildNo, firstDay, source]);
  return days.map(({ day, entries }) => ({
    from: day === firstDay ? before : startOfDay(day + 1),
    to: startOfDay(day),
    entries,
  }));
}

/** Counts from the daily sums: not at all by amount, and by source only where that source has sums on every day. */
async function count(
  moment: Runner,
  guildNo: number,
  { source, minUnits, maxUnits }: GuildListingQuery,
): Promise<number | undefined> {
  if (minUnits !== undefined || maxUnits !== undefined) {
    return undefined;
  }
  if (source === undefined) {
    return (await moment.first(COUNT_ALL, [guildNo]))?.total;
  }
  const hiding = await moment.first(FIND_HIDING, [guildNo, source]);
  return hiding === undefined ? (await moment.first(COUNT_SOURCE, [guildNo, source]))?.total : undefined;
}
