import type { MemberQuery, MemberStore } from '../../domain/people/member-store.ts';
import {
  accountMembersSql,
  FIRST_ACCOUNT,
  joinStages,
  lastAccountSql,
  lastPlayerSql,
  lookedAtMax,
  type MemberDialect,
  type MemberRow,
  oneMemberSql,
  recordMembersSql,
  type Stage,
  searchValues,
  toMember,
  toStagePage,
} from '../member-sql.ts';
import { NO_HINTS, prepare, prepareOnDemand, type Runner, type Snapshot } from './statement.ts';

const DIALECT: MemberDialect = {
  ...NO_HINTS,
  contains: (column, text) => `strpos(${column}, ${text}) > 0`,
  pastUsers: (chatId) =>
    `(SELECT json_agg(json_build_object('playerId', p.player_id, 'username', p.username) ORDER BY p.position)
      FROM past_user AS p WHERE p.chat_id = ${chatId})`,
};

const FIND_ONE = prepare<MemberRow>(oneMemberSql(DIALECT));
const FIND_LAST_ACCOUNT = prepare<{ balanceUnits: number; accountNo: number }>(lastAccountSql(DIALECT));
const FIND_LAST_PLAYER = prepare<{ playerId: string }>(lastPlayerSql(DIALECT));

export function createMemberStore({ read, inSnapshot }: { read: Runner; inSnapshot: Snapshot }): MemberStore {
  const statements = prepareOnDemand<MemberRow>();

  async function accounts(
    moment: Runner,
    guildNo: number,
    query: MemberQuery,
    after: typeof FIRST_ACCOUNT,
  ): Promise<Stage> {
    const hasSearch = query.search !== undefined;
    const find = statements(`accounts ${hasSearch}`, () => accountMembersSql(DIALECT, hasSearch));
    const start = [guildNo, after.balanceUnits, after.accountNo, lookedAtMax(query)];
    const rows = await moment.all(find, [...start, ...searchValues(query.search), query.limit + 1]);
    const stop = rows.length > query.limit ? undefined : await moment.first(FIND_LAST_ACCOUNT, start);
    return { rows, stop };
  }

  async function withoutAccount(
    moment: Runner,
    guildNo: number,
    query: MemberQuery,
    after: string,
  ): Promise<Stage> {
    const hasSearch = query.search !== undefined;
    const find = statements(`records ${hasSearch}`, () => recordMembersSql(DIALECT, hasSearch));
    const start = [guildNo, after, lookedAtMax(query)];
    const rows = await moment.all(find, [...start, ...searchValues(query.search), query.limit + 1]);
    const stop = rows.length > query.limit ? undefined : await moment.first(FIND_LAST_PLAYER, start);
    return { rows, stop };
  }

  return {
    list: ({ guildNo }, query) =>
      inSnapshot(async (moment) => {
        const { after = FIRST_ACCOUNT, limit } = query;
        if ('playerId' in after) {
          return toStagePage(await withoutAccount(moment, guildNo, query, after.playerId), limit);
        }
        const page = toStagePage(await accounts(moment, guildNo, query, after), limit);
        if (page.next !== undefined || page.members.length === limit) {
          return { ...page, next: page.next ?? { playerId: '' } };
        }
        const rest = { ...query, limit: limit - page.members.length };
        return joinStages(page, toStagePage(await withoutAccount(moment, guildNo, rest, ''), rest.limit));
      }),
    async find({ guildNo }, playerId) {
      const row = await read.first(FIND_ONE, [guildNo, playerId, 1]);
      return row && toMember(row);
    },
  };
}
