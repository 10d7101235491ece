import { type Guilds, hasActivePlan } from '../access/guilds.ts';
import type { AuditSubject } from '../audit-log.ts';
import { DomainError } from '../errors.ts';
import type { LedgerViewStore } from '../ledger/ledger-views.ts';
import type { Actor, Discharge, Guild, GuildRef, SortOrder, Transfer, Verification } from '../model.ts';
import type { Clock, DischargeStore, RecordStore, VerificationStore } from '../ports.ts';
import type { ImportOptions } from '../records/records.ts';
import { accountsOf, type PersonAccount } from './guild-people.ts';
import { readMemberCursor, writeMemberCursor } from './member-cursor.ts';
import type { Member, MemberFilter, MemberSortKey, MemberState, MemberStore } from './member-store.ts';
import { type ImportedLink, type MemberLink, verifyMany } from './verify-many.ts';

/** Records shown of one person, of each kind. */
const RECORDS_SHOWN_MAX = 10;
/** Members that an export reads at once. */
const READ_AT_ONCE = 500;
/** Of a person with more accounts than this, only the records of the newest are shown. */
const ACCOUNTS_WITH_RECORDS_MAX = 10;

export interface ListedMember extends Member {
  discharges: number;
  transfers: number;
}

export interface MemberList {
  members: ListedMember[];
  /** The `cursor` of the next page; undefined at the end. */
  nextCursor: string | undefined;
}

export interface Profile {
  member: ListedMember;
  /**
   * The accounts of the person behind the player, the present one first; only the player's own when nobody is
   * verified with it.
   */
  accounts: PersonAccount[];
  /** The newest records of all accounts together. */
  discharges: Discharge[];
  transfers: Transfer[];
}

/** The subjects of a person's history: the account, the verification, and the shown records. */
export function subjectsOf({ member, discharges, transfers }: Profile): AuditSubject[] {
  const { playerId, chatId } = member;
  return [
    { kind: 'account', id: playerId },
    ...(chatId === undefined ? [] : [{ kind: 'verification', id: chatId } as const]),
    ...discharges.map(({ id }) => ({ kind: 'discharge', id }) as const),
    ...transfers.map(({ id }) => ({ kind: 'transfer', id }) as const),
  ];
}

export interface MemberFilters {
  query?: string | undefined;
  state?: MemberState | undefined;
}

export interface MemberExport extends MemberFilters {
  sortBy?: MemberSortKey | undefined;
  sortOrder?: SortOrder | undefined;
}

export interface MemberRequest extends MemberExport {
  cursor?: string | undefined;
  limit: number;
}

export interface NewLink {
  chatId: string;
  username: string;
}

export interface GuildMembers {
  list(guildId: string, request: MemberRequest): Promise<MemberList>;
  /** Undefined when the guild has too many members to count them. */
  count(guildId: string, filters: MemberFilters): Promise<number | undefined>;
  /** All matching members in order. Rejects before the first one. */
  read(guildId: string, request: MemberExport): Promise<AsyncIterable<ListedMember>>;
  profile(guildId: string, playerId: string): Promise<Profile>;
  /** Verifies a member or changes their verification. Only if the operator allows it. */
  verify(guildId: string, playerId: string, link: NewLink, actor: Actor): Promise<Verification>;
  /** Verifies many members in one commit; see `verifyMany`. Only if the operator allows it. */
  verifyMany(
    guildId: string,
    links: readonly MemberLink[],
    actor: Actor,
    options: ImportOptions,
  ): Promise<ImportedLink[]>;
  /** Deletes a member's verification, past accounts included. Only if the operator allows it. */
  unlink(guildId: string, playerId: string, actor: Actor): Promise<void>;
}

export interface GuildMemberParts {
  guilds: Guilds;
  members: MemberStore;
  verificationStore: VerificationStore;
  discharges: DischargeStore;
  transfers: RecordStore<Transfer>;
  views: LedgerViewStore;
  clock: Clock;
  editsVerifications: boolean;
}

/** The members of a guild. Past accounts come from all guilds, so they are shown only with an active plan. */
export function createGuildMembers(parts: GuildMemberParts): GuildMembers {
  const { guilds, members, verificationStore, clock } = parts;

  async function find(guild: Guild, playerId: string): Promise<Member> {
    const member = await members.find(guild, playerId);
    if (member === undefined) {
      throw new DomainError('user_not_found');
    }
    return inPlan(guild, clock.nowMs(), member);
  }

  function requireEditing(): void {
    if (!parts.editsVerifications) {
      throw new DomainError('verifications_fixed');
    }
  }

  async function requireEdits(guildId: string, playerId: string): Promise<{ guild: Guild; member: Member }> {
    requireEditing();
    const guild = await guilds.find(guildId);
    return { guild, member: await find(guild, playerId) };
  }

  async function list(guildId: string, request: MemberRequest): Promise<MemberList> {
    const { cursor, limit, sortBy, sortOrder } = request;
    const guild = await guilds.find(guildId);
    const filter = filterOf(request);
    const listed = [filter.search, filter.state, sortBy, sortOrder];
    const after = cursor === undefined ? undefined : readMemberCursor(cursor, listed);
    const { members: found, next } = await members.list(guild, {
      ...filter,
      sortBy,
      sortOrder,
      limit,
      after,
    });
    const shown = found.map((member) => inPlan(guild, clock.nowMs(), member));
    return {
      members: await withCounts(guild, shown, parts),
      nextCursor: next && writeMemberCursor(next, listed),
    };
  }

  async function* readFrom(
    guildId: string,
    request: MemberExport,
    first: MemberList,
  ): AsyncGenerator<ListedMember> {
    let page = first;
    yield* page.members;
    while (page.nextCursor !== undefined) {
      page = await list(guildId, { ...request, cursor: page.nextCursor, limit: READ_AT_ONCE });
      yield* page.members;
    }
  }

  return {
    list,
    async count(guildId, filters) {
      return members.count(await guilds.find(guildId), filterOf(filters));
    },
    async read(guildId, request) {
      return readFrom(guildId, request, await list(guildId, { ...request, limit: READ_AT_ONCE }));
    },
    async profile(guildId, playerId) {
      const guild = await guilds.find(guildId);
      const [member] = await withCounts(guild, [await find(guild, playerId)], parts);
      if (member === undefined) {
        throw new DomainError('user_not_found');
      }
      const { username, name = playerId, pastUsers } = member;
      const person = { playerId, username: username ?? name, pastUsers };
      const accounts = await accountsOf(person, guild, parts);
      return { member, accounts, ...(await recordsOf(guild, accounts, parts)) };
    },
    async verify(guildId, playerId, { chatId, username }, actor) {
      const { guild } = await requireEdits(guildId, playerId);
      const change = { actor, atMs: clock.nowMs() };
      await verificationStore.put([{ chatId, playerId, username }], change, guild);
      const person = await verificationStore.find(['chat'], chatId);
      if (person === undefined) {
        throw new DomainError('user_not_found');
      }
      return person;
    },
    async verifyMany(guildId, links, actor, options) {
      requireEditing();
      const change = { actor, atMs: clock.nowMs() };
      return verifyMany(parts, { guild: await guilds.find(guildId), links, change, options });
    },
    async unlink(guildId, playerId, actor) {
      const { guild, member } = await requireEdits(guildId, playerId);
      const change = { actor, atMs: clock.nowMs() };
      if (member.chatId === undefined || !(await verificationStore.delete(member.chatId, change, guild))) {
        throw new DomainError('user_not_found');
      }
    },
  };
}

function filterOf({ query = '', state }: MemberFilters): MemberFilter {
  return { search: query.trim() === '' ? undefined : query.trim(), state };
}

/** A member without the fields that only a plan shows. */
function inPlan(guild: Guild, nowMs: number, member: Member): Member {
  return hasActivePlan(guild, nowMs) ? member : { ...member, pastUsers: [], formerOf: undefined };
}

async function withCounts(
  guild: GuildRef,
  members: readonly Member[],
  { discharges, transfers }: Pick<GuildMemberParts, 'discharges' | 'transfers'>,
): Promise<ListedMember[]> {
  const ids = members.map(({ playerId }) => playerId);
  const [dischargeCounts, transferCounts] = await Promise.all([
    discharges.countByPlayer(guild, ids),
    transfers.countByPlayer(guild, ids),
  ]);
  return members.map((member, index) => ({
    ...member,
    discharges: dischargeCounts[index] ?? 0,
    transfers: transferCounts[index] ?? 0,
  }));
}

const EVER = { sinceMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER };

/** The newest records of all accounts of a person, of each kind. */
async function recordsOf(
  guild: GuildRef,
  accounts: readonly PersonAccount[],
  { discharges, transfers }: Pick<GuildMemberParts, 'discharges' | 'transfers'>,
): Promise<Pick<Profile, 'discharges' | 'transfers'>> {
  const walk = (playerId: string) => ({
    range: EVER,
    search: undefined,
    type: undefined,
    playerId,
    before: undefined,
    limit: RECORDS_SHOWN_MAX,
  });
  const has = (kind: 'discharges' | 'transfers') =>
    accounts.filter((account) => account[kind] > 0).slice(0, ACCOUNTS_WITH_RECORDS_MAX);
  const [foundDischarges, foundTransfers] = await Promise.all([
    Promise.all(has('discharges').map(({ playerId }) => discharges.walk(guild, walk(playerId)))),
    Promise.all(has('transfers').map(({ playerId }) => transfers.walk(guild, walk(playerId)))),
  ]);
  return { discharges: newest(foundDischarges.flat()), transfers: newest(foundTransfers.flat()) };
}

function newest<Item extends { date: string }>(items: readonly Item[]): Item[] {
  return items
    .toSorted((one, other) => Date.parse(other.date) - Date.parse(one.date))
    .slice(0, RECORDS_SHOWN_MAX);
}
