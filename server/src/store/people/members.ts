import type { MemberPage, MemberQuery, MemberStore } from '../../domain/people/member-store.ts';
import type { Engine } from '../jobs.ts';
import { type Sql, statement, statementsByShape } from '../sql.ts';
import {
  accountMembersSql,
  FIRST_ACCOUNT,
  joinStages,
  lastAccountSql,
  lastPlayerSql,
  lookedAtMax,
  type MemberRow,
  oneMemberSql,
  recordMembersSql,
  type Stage,
  searchValues,
  toMember,
  toStagePage,
} from './member-sql.ts';
import { findNamed } from './named-players.ts';

/** Members of a guild with at most this many accounts are searched on the calling thread. */
const SHORT_GUILD = 2_000;

const FIND_ONE = statement<MemberRow>(oneMemberSql);
const FIND_LAST_ACCOUNT = statement<{ balanceUnits: number; accountNo: number }>(lastAccountSql);
const FIND_LAST_PLAYER = statement<{ playerId: string }>(lastPlayerSql);

// Reads no more entries of the index than SHORT_GUILD: the only question is whether there are more.
const HAS_MANY = statement<{ found: number }>(
  ({ indexedBy }) =>
    `SELECT 1 AS found FROM account ${indexedBy('account_by_balance')} WHERE guild_no = $1 LIMIT 1 OFFSET ${SHORT_GUILD}`,
);
const statements = statementsByShape<MemberRow>();

interface MemberInput {
  guildNo: number;
  query: MemberQuery;
}

export const MEMBER_READS = { listMembers, findNamed };

export function createMemberStore({
  read,
  readLong,
}: Engine<Record<never, never>, typeof MEMBER_READS>): MemberStore {
  return {
    list: ({ guildNo }, query) =>
      readLong('listMembers', { guildNo, query }, async () =>
        query.search === undefined || (await read.first(HAS_MANY, [guildNo])) === undefined
          ? 0
          : lookedAtMax(query),
      ),
    findNamed: ({ guildNo }, texts) => readLong('findNamed', { guildNo, texts }, () => texts.length),
    async find({ guildNo }, playerId) {
      const row = await read.first(FIND_ONE, [guildNo, playerId, 1]);
      return row && toMember(row);
    },
  };
}

async function listMembers(sql: Sql, { guildNo, query }: MemberInput): Promise<MemberPage> {
  const { after = FIRST_ACCOUNT, limit } = query;
  if ('playerId' in after) {
    return toStagePage(await withoutAccount(sql, guildNo, query, after.playerId), limit);
  }
  const page = toStagePage(await accounts(sql, guildNo, query, after), limit);
  if (page.next !== undefined || page.members.length === limit) {
    return { ...page, next: page.next ?? { playerId: '' } };
  }
  const rest = { ...query, limit: limit - page.members.length };
  return joinStages(page, toStagePage(await withoutAccount(sql, guildNo, rest, ''), rest.limit));
}

async function accounts(
  sql: Sql,
  guildNo: number,
  query: MemberQuery,
  after: typeof FIRST_ACCOUNT,
): Promise<Stage> {
  const hasSearch = query.search !== undefined;
  const find = statements(`accounts ${hasSearch}`, (dialect) => accountMembersSql(dialect, hasSearch));
  const start = [guildNo, after.balanceUnits, after.accountNo, lookedAtMax(query)];
  const rows = await sql.all(find, [...start, ...searchValues(query.search), query.limit + 1]);
  const stop = rows.length > query.limit ? undefined : await sql.first(FIND_LAST_ACCOUNT, start);
  return { rows, stop };
}

async function withoutAccount(sql: Sql, guildNo: number, query: MemberQuery, after: string): Promise<Stage> {
  const hasSearch = query.search !== undefined;
  const find = statements(`records ${hasSearch}`, (dialect) => recordMembersSql(dialect, hasSearch));
  const start = [guildNo, after, lookedAtMax(query)];
  const rows = await sql.all(find, [...start, ...searchValues(query.search), query.limit + 1]);
  const stop = rows.length > query.limit ? undefined : await sql.first(FIND_LAST_PLAYER, start);
  return { rows, stop };
}
