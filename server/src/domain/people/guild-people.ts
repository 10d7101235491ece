import { type Guilds, requireActivePlan } from '../access/guilds.ts';
import { DomainError } from '../errors.ts';
import type { LedgerViewStore } from '../ledger/ledger-views.ts';
import type { GuildRef, PastUser, Transfer, Verification } from '../model.ts';
import type { Clock, DischargeStore, RecordStore } from '../ports.ts';
import type { Verifications } from './verifications.ts';

/** Only this number of past accounts, the newest, is looked at. */
const PAST_ACCOUNTS_MAX = 50;
/** Samples are taken from this number of accounts with the largest balances. */
const SAMPLE_PLAYERS_MAX = 20;

/** A game account with the guild's data about it. */
export interface PersonAccount extends PastUser {
  isCurrent: boolean;
  balanceUnits: number;
  transactions: number;
  discharges: number;
  transfers: number;
}

export interface Person extends Verification {
  /** The present account, then the past ones, newest first. */
  accounts: PersonAccount[];
}

/** Ids that exist in a guild, for use in examples. */
export interface Samples {
  playerId: string | undefined;
  dischargeId: string | undefined;
  transferId: string | undefined;
  username: string | undefined;
}

export interface GuildPeople {
  /**
   * Looks up a person by the interface's rules, with this guild's data about each of their accounts. Verifications
   * are shared between guilds, so it needs an active plan, like a key with the same right.
   */
  find(guildId: string, query: string): Promise<Person>;
  samples(guildId: string): Promise<Samples>;
}

export interface GuildPeopleParts {
  guilds: Guilds;
  verifications: Verifications;
  discharges: DischargeStore;
  transfers: RecordStore<Transfer>;
  views: LedgerViewStore;
  clock: Clock;
}

export function createGuildPeople(parts: GuildPeopleParts): GuildPeople {
  const { guilds, verifications, clock } = parts;
  return {
    async find(guildId, query) {
      const guild = await guilds.find(guildId);
      requireActivePlan(guild, clock.nowMs(), 'looking people up');
      if (query.trim() === '') {
        throw new DomainError('missing_parameters');
      }
      const person = await verifications.find(query);
      return { ...person, accounts: await accountsOf(person, guild, parts) };
    },
    async samples(guildId) {
      return findSamples(await guilds.find(guildId), parts);
    },
  };
}

/** The guild's data about each account of a person. */
export async function accountsOf(
  { playerId, username, pastUsers }: Omit<Verification, 'chatId'>,
  guild: GuildRef,
  { discharges, transfers, views }: Pick<GuildPeopleParts, 'discharges' | 'transfers' | 'views'>,
): Promise<PersonAccount[]> {
  const known = [{ playerId, username }, ...pastUsers.slice(0, PAST_ACCOUNTS_MAX)];
  const ids = known.map((account) => account.playerId);
  const [dischargeCounts, transferCounts, balances] = await Promise.all([
    discharges.countByPlayer(guild, ids),
    transfers.countByPlayer(guild, ids),
    Promise.all(ids.map((id) => views.findPlayer(guild, id))),
  ]);
  return known.map((account, index) => ({
    playerId: account.playerId,
    username: account.username,
    isCurrent: index === 0,
    balanceUnits: balances[index]?.balanceUnits ?? 0,
    transactions: balances[index]?.transactions ?? 0,
    discharges: dischargeCounts[index] ?? 0,
    transfers: transferCounts[index] ?? 0,
  }));
}

const NEWEST = {
  page: 1,
  limit: 1,
  search: undefined,
  range: { sinceMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER },
  sortBy: 'date',
  sortOrder: 'desc',
} as const;

async function findSamples(guild: GuildRef, parts: GuildPeopleParts): Promise<Samples> {
  const [players, discharges, transfers] = await Promise.all([
    parts.views.largestBalances(guild, SAMPLE_PLAYERS_MAX),
    parts.discharges.list(guild, { ...NEWEST, type: undefined }),
    parts.transfers.list(guild, NEWEST),
  ]);
  return {
    playerId: players[0]?.playerId,
    dischargeId: discharges.records[0]?.id,
    transferId: transfers.records[0]?.id,
    username: players.find(({ username }) => username !== undefined)?.username,
  };
}
