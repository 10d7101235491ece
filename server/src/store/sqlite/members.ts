import type { DatabaseSync } from 'node:sqlite';
import type { MemberPage, MemberQuery, MemberStore } from '../../domain/people/member-store.ts';
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
import { inSnapshot, prepare, prepareOnDemand } from './connection.ts';
import { prepareHasMany } from './long-read.ts';
import type { LongReadOf, Read } from './write.ts';

const DIALECT: MemberDialect = {
  placeholder: (position) => `?${position}`,
  indexHint: (index) => `INDEXED BY ${index}`,
  contains: (column, text) => `instr(${column}, ${text}) > 0`,
  pastUsers: (chatId) =>
    `(SELECT json_group_array(json_object('playerId', p.player_id, 'username', p.username) ORDER BY p.position)
      FROM past_user AS p WHERE p.chat_id = ${chatId})`,
};

export type MemberReads = ReturnType<typeof createMemberReads>;

interface MemberParts {
  db: DatabaseSync;
  read: Read;
  readLong: LongReadOf<MemberReads>;
}

export function createMemberStore({ db, read, readLong }: MemberParts): MemberStore {
  const list = createMemberList(db);
  const findOne = prepare<MemberRow>(db, oneMemberSql(DIALECT));
  const hasMany = prepareHasMany(db, { table: 'account', index: 'account_by_balance' });
  return {
    list: ({ guildNo }, query) =>
      read(() =>
        query.search !== undefined && hasMany(guildNo)
          ? readLong('listMembers', { guildNo, query }, lookedAtMax(query))
          : list({ guildNo, query }),
      ),
    find: ({ guildNo }, playerId) =>
      read(() => {
        const row = findOne.get(guildNo, playerId, 1);
        return row && toMember(row);
      }),
  };
}

/** What the reader threads do for members. */
export function createMemberReads(db: DatabaseSync) {
  return { listMembers: createMemberList(db) };
}

function createMemberList(db: DatabaseSync) {
  const statements = prepareOnDemand<MemberRow>(db);
  const findLastAccount = prepare<{ balanceUnits: number; accountNo: number }>(db, lastAccountSql(DIALECT));
  const findLastPlayer = prepare<{ playerId: string }>(db, lastPlayerSql(DIALECT));

  function accounts(guildNo: number, query: MemberQuery, after: typeof FIRST_ACCOUNT): Stage {
    const hasSearch = query.search !== undefined;
    const find = statements(`accounts ${hasSearch}`, () => accountMembersSql(DIALECT, hasSearch));
    const start = [guildNo, after.balanceUnits, after.accountNo, lookedAtMax(query)];
    const rows = find.all(...start, ...searchValues(query.search), query.limit + 1);
    return { rows, stop: rows.length > query.limit ? undefined : findLastAccount.get(...start) };
  }

  function withoutAccount(guildNo: number, query: MemberQuery, after: string): Stage {
    const hasSearch = query.search !== undefined;
    const find = statements(`records ${hasSearch}`, () => recordMembersSql(DIALECT, hasSearch));
    const start = [guildNo, after, lookedAtMax(query)];
    const rows = find.all(...start, ...searchValues(query.search), query.limit + 1);
    return { rows, stop: rows.length > query.limit ? undefined : findLastPlayer.get(...start) };
  }

  return ({ guildNo, query }: { guildNo: number; query: MemberQuery }): MemberPage =>
    inSnapshot(db, () => {
      const { after = FIRST_ACCOUNT, limit } = query;
      if ('playerId' in after) {
        return toStagePage(withoutAccount(guildNo, query, after.playerId), limit);
      }
      const page = toStagePage(accounts(guildNo, query, after), limit);
      if (page.next !== undefined || page.members.length === limit) {
        return { ...page, next: page.next ?? { playerId: '' } };
      }
      const rest = { ...query, limit: limit - page.members.length };
      return joinStages(page, toStagePage(withoutAccount(guildNo, rest, ''), rest.limit));
    });
}
