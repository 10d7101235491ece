import { DomainError } from '../../domain/errors.ts';
import {
  MEMBERS_LOOKED_AT_MAX,
  type MemberFilter,
  type MemberPage,
  type MemberQuery,
  type MemberSortKey,
  type MemberStore,
} from '../../domain/people/member-store.ts';
import type { Engine } from '../jobs.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';
import {
  accountMembersSql,
  countMembersSql,
  firstAccount,
  joinStages,
  lastAccountSql,
  lastPlayerSql,
  lookedAtMax,
  type MemberRow,
  memberShape,
  oneMemberSql,
  recordMembersSql,
  type Stage,
  searchValues,
  sortedMembersSql,
  toMember,
  toStagePage,
} from './member-sql.ts';
import { findNamed } from './named-players.ts';

/** Members of a guild with at most this many accounts are searched on the calling thread. */
const SHORT_GUILD = 2_000;

const FIND_ONE = statement<MemberRow>(oneMemberSql);
const FIND_LAST_PLAYER = statement<{ playerId: string }>(lastPlayerSql);

// Reads no more entries of the index than `$2`: the only question is whether there are more.
const HAS_MANY = statement<{ found: number }>(
  ({ indexedBy }) =>
    `SELECT 1 AS found FROM account ${indexedBy('account_by_balance')} WHERE guild_no = $1 LIMIT 1 OFFSET $2`,
);
const statements = statementsByShape<MemberRow>();
const lastAccounts = statementsByShape<{ balanceUnits: number; accountNo: number }>();
const counts = statementsByShape<{ count: number }>();

interface MemberInput {
  guildNo: number;
  query: MemberQuery;
}

export const MEMBER_READS = { listMembers, countMembers, findNamed };

export function createMemberStore({
  read,
  readLong,
}: Engine<Record<never, never>, typeof MEMBER_READS>): MemberStore {
  /** The number of players that a read visits, as far as it matters where it runs. */
  async function visitedIn(guildNo: number): Promise<number> {
    const isLong = (await read.first(HAS_MANY, [guildNo, SHORT_GUILD])) !== undefined;
    return isLong ? MEMBERS_LOOKED_AT_MAX : 0;
  }

  return {
    list: ({ guildNo }, query) =>
      readLong('listMembers', { guildNo, query }, async () =>
        isPlain(query) && (query.sortBy ?? 'balance') === 'balance' ? 0 : visitedIn(guildNo),
      ),
    findNamed: ({ guildNo }, texts) => readLong('findNamed', { guildNo, texts }, () => texts.length),
    count: ({ guildNo }, filter) => readLong('countMembers', { guildNo, filter }, () => visitedIn(guildNo)),
    async find({ guildNo }, playerId) {
      const row = await read.first(FIND_ONE, [guildNo, playerId, 1]);
      return row && toMember(row);
    },
  };
}

function isPlain({ search, state }: MemberFilter): boolean {
  return search === undefined && state === undefined;
}

async function listMembers(sql: Sql, { guildNo, query }: MemberInput): Promise<MemberPage> {
  const { sortBy = 'balance', sortOrder = 'desc', limit } = query;
  if (sortBy !== 'balance') {
    return listSorted(sql, guildNo, query, sortBy);
  }
  const { after = firstAccount(sortOrder) } = query;
  if ('playerId' in after) {
    return toStagePage(await withoutAccount(sql, guildNo, query, after.playerId), limit);
  }
  const place = 'skipped' in after ? firstAccount(sortOrder) : after;
  const page = toStagePage(await accounts(sql, guildNo, query, place), limit);
  if (query.state === 'overdrawn') {
    return page;
  }
  if (page.next !== undefined || page.members.length === limit) {
    return { ...page, next: page.next ?? { playerId: '' } };
  }
  const rest = { ...query, limit: limit - page.members.length };
  return joinStages(page, toStagePage(await withoutAccount(sql, guildNo, rest, ''), rest.limit));
}

async function listSorted(
  sql: Sql,
  guildNo: number,
  query: MemberQuery,
  sortBy: Exclude<MemberSortKey, 'balance'>,
): Promise<MemberPage> {
  const { sortOrder = 'desc', limit, after } = query;
  if ((await sql.first(HAS_MANY, [guildNo, MEMBERS_LOOKED_AT_MAX])) !== undefined) {
    throw new DomainError('invalid_input', {
      detail: `only up to ${MEMBERS_LOOKED_AT_MAX} people are sorted this way; sort by balance`,
    });
  }
  const shape = memberShape(query);
  const key = `sorted ${sortBy} ${sortOrder} ${shape.hasSearch} ${shape.state}`;
  const find = statements(key, (dialect) => sortedMembersSql(dialect, { sortBy, sortOrder }, shape));
  const skipped = after !== undefined && 'skipped' in after ? after.skipped : 0;
  const rows = await sql.all(find, [
    ...everybody(guildNo),
    ...searchValues(query.search),
    limit + 1,
    skipped,
  ]);
  return {
    members: rows.slice(0, limit).map(toMember),
    next: rows.length > limit ? { skipped: skipped + limit } : undefined,
  };
}

async function countMembers(
  sql: Sql,
  { guildNo, filter }: { guildNo: number; filter: MemberFilter },
): Promise<number | undefined> {
  if ((await sql.first(HAS_MANY, [guildNo, MEMBERS_LOOKED_AT_MAX])) !== undefined) {
    return undefined;
  }
  const shape = memberShape(filter);
  const find = counts(`${shape.hasSearch} ${shape.state}`, (dialect) => countMembersSql(dialect, shape));
  return (await sql.first(find, [...everybody(guildNo), ...searchValues(filter.search)]))?.count ?? 0;
}

/** The values of a statement over all members. */
function everybody(guildNo: number): [number, string, number] {
  return [guildNo, '', MEMBERS_LOOKED_AT_MAX];
}

async function accounts(
  sql: Sql,
  guildNo: number,
  query: MemberQuery,
  after: ReturnType<typeof firstAccount>,
): Promise<Stage> {
  const { sortOrder = 'desc', state } = query;
  const shape = memberShape(query);
  const find = statements(`accounts ${sortOrder} ${shape.hasSearch} ${state}`, (dialect) =>
    accountMembersSql(dialect, sortOrder, shape),
  );
  const findLast = lastAccounts(`${sortOrder} ${state}`, (dialect) =>
    lastAccountSql(dialect, sortOrder, state),
  );
  const start = [guildNo, after.balanceUnits, after.accountNo, lookedAtMax(query)];
  const rows = await sql.all(find, [...start, ...searchValues(query.search), query.limit + 1]);
  const stop = rows.length > query.limit ? undefined : await sql.first(findLast, start);
  return { rows, stop };
}

async function withoutAccount(sql: Sql, guildNo: number, query: MemberQuery, after: string): Promise<Stage> {
  const shape = memberShape(query);
  const find = statements(`records ${shape.hasSearch} ${shape.state}`, (dialect) =>
    recordMembersSql(dialect, shape),
  );
  const start = [guildNo, after, lookedAtMax(query)];
  const rows = await sql.all(find, [...start, ...searchValues(query.search), query.limit + 1]);
  const stop = rows.length > query.limit ? undefined : await sql.first(FIND_LAST_PLAYER, start);
  return { rows, stop };
}
