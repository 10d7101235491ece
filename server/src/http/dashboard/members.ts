import { actorOf } from '../../domain/access/actors.ts';
import { decimalText } from '../../domain/ledger/amount.ts';
import { type ListedMember, subjectsOf } from '../../domain/people/guild-members.ts';
import type { SearchResult } from '../../domain/people/guild-search.ts';
import { memberCsv } from '../../import-export/member-csv.ts';
import { DashboardGuildParams, DoneReply } from '../../wire/dashboard.ts';
import {
  LinkBody,
  LinkImportBody,
  LinkImportReply,
  LinkReply,
  MemberExportQuery,
  MemberListQuery,
  MemberParams,
  MembersReply,
  NamesQuery,
  NamesReply,
  PersonHistoryReply,
  ProfileReply,
  SearchQuery,
  SearchReply,
} from '../../wire/dashboard-people.ts';
import { ACTIONS } from '../../wire/roles.ts';
import { Type } from '../../wire/type.ts';
import { roleOf, type SessionRoute } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { auditEntryBody } from './audit.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import { csvName, csvStyle, IMPORT_BYTES_MAX } from './record-changes.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';
const HISTORY_SHOWN_MAX = 30;

const listMembers = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${GUILD}/people`,
  params: DashboardGuildParams,
  query: MemberListQuery,
  reply: MembersReply,
} satisfies Route;

const exportMembers = {
  ...listMembers,
  path: `${GUILD}/people.csv`,
  query: MemberExportQuery,
  reply: Type.String(),
} satisfies Route;

const showProfile = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${GUILD}/people/{playerId}`,
  params: MemberParams,
  reply: ProfileReply,
  nullFor: 'user_not_found',
} satisfies SessionRoute;

const showHistory = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${GUILD}/people/{playerId}/history`,
  params: MemberParams,
  reply: PersonHistoryReply,
} satisfies Route;

const findNames = {
  ...listMembers,
  path: `${GUILD}/names`,
  query: NamesQuery,
  reply: NamesReply,
} satisfies Route;

const linkMember = {
  ...showHistory,
  method: 'PUT',
  path: `${GUILD}/people/{playerId}/verification`,
  body: LinkBody,
  reply: LinkReply,
} satisfies Route;

const unlinkMember = {
  ...showHistory,
  method: 'DELETE',
  path: `${GUILD}/people/{playerId}/verification`,
  reply: DoneReply,
} satisfies Route;

const importLinks = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: `${GUILD}/verifications/import`,
  params: DashboardGuildParams,
  body: LinkImportBody,
  bodyBytesMax: IMPORT_BYTES_MAX,
  reply: LinkImportReply,
} satisfies Route;

const searchGuild = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${GUILD}/search`,
  params: DashboardGuildParams,
  query: SearchQuery,
  reply: SearchReply,
} satisfies Route;

/** The members of a guild, and the search field of every page. */
export const MEMBER_ENDPOINTS = [
  forSession(listMembers, ({ guildMembers }) => async ({ params, query }) => {
    const [{ members, nextCursor }, total] = await Promise.all([
      guildMembers.list(params.guildId, query),
      guildMembers.count(params.guildId, query),
    ]);
    const data = { members: members.map(toWireMember), nextCursor: nextCursor ?? null, total: total ?? null };
    return answerJson({ success: true, data });
  }),
  forSession(
    exportMembers,
    ({ guildMembers, clock, downloads }) =>
      async ({ params: { guildId }, query: { exact, ...query }, request }) => {
        const readRows = async () => memberCsv(await guildMembers.read(guildId, query), csvStyle(exact));
        return downloads.answer(request, { guildId, fileName: csvName('people', clock), readRows });
      },
  ),
  forSession(showProfile, ({ guildMembers }) => async ({ params }) => {
    const { member, accounts, ...records } = await guildMembers.profile(params.guildId, params.playerId);
    const shown = accounts.map(({ balanceUnits, ...account }) => ({
      ...account,
      balance: decimalText(balanceUnits),
    }));
    return answerJson({ success: true, data: { member: toWireMember(member), accounts: shown, ...records } });
  }),
  forSession(showHistory, ({ guildMembers, auditLog }) => async ({ who, params: { guildId, playerId } }) => {
    const subjects = subjectsOf(await guildMembers.profile(guildId, playerId));
    const reading = { guildId, role: roleOf(who) };
    const entries = await auditLog.about(reading, { subjects, limit: HISTORY_SHOWN_MAX });
    return answerJson({ success: true, data: { entries: entries.map(auditEntryBody) } });
  }),
  forSession(
    findNames,
    ({ guildNames }) =>
      async ({ params, query }) =>
        answerJson({ success: true, data: await guildNames.find(params.guildId, query) }),
  ),
  forSession(linkMember, ({ guildMembers }) => async ({ who, params, body }) => {
    const { guildId, playerId } = params;
    const data = await guildMembers.verify(guildId, playerId, body, actorOf(who.session));
    return answerJson({ success: true, data });
  }),
  forSession(unlinkMember, ({ guildMembers }) => async ({ who, params }) => {
    await guildMembers.unlink(params.guildId, params.playerId, actorOf(who.session));
    return answerJson({ success: true, message: 'Verification removed' });
  }),
  forSession(importLinks, ({ guildMembers }) => async ({ who, params, body }) => {
    const options = { overwrites: body.overwrite, isCheckOnly: body.check };
    const actor = actorOf(who.session);
    const outcomes = await guildMembers.verifyMany(params.guildId, body.verifications, actor, options);
    return answerJson({ success: true, data: { outcomes } });
  }),
  forSession(searchGuild, ({ dashboard, guildSearch }) => async ({ who, params, query }) => {
    const { guildId } = params;
    const withKeys = await dashboard.hasRole(who.session, guildId, ACTIONS['keys.read'].role);
    const found = await guildSearch.find(guildId, query.query ?? '', { withKeys });
    return answerJson({ success: true, data: toWireResult(found) });
  }),
];

function toWireMember({ balanceUnits, name, chatId, username, formerOf, ...member }: ListedMember): object {
  return {
    ...member,
    balance: decimalText(balanceUnits),
    name: name ?? null,
    chatId: chatId ?? null,
    username: username ?? null,
    formerOf: formerOf ?? null,
  };
}

function toWireResult({ members, stranger, transactions, keys, ...records }: SearchResult): object {
  return {
    ...records,
    members: members.map(toWireMember),
    stranger: stranger ?? null,
    transactions: transactions.map(({ transactionId, playerId, name, totalUnits, createdAtMs }) => ({
      transactionId,
      playerId,
      name,
      total: decimalText(totalUnits),
      createdAt: new Date(createdAtMs).toISOString(),
    })),
    keys: keys.map(({ keyId: id, name }) => ({ id, name })),
  };
}
