import { type Guilds, hasActivePlan } from '../access/guilds.ts';
import type { KeyStore } from '../access/key-store.ts';
import type { EntryStore, LedgerEntry } from '../ledger/entries.ts';
import type { Discharge, Guild, GuildRef, Transfer, Verification } from '../model.ts';
import type { Clock, DischargeStore, RecordStore } from '../ports.ts';
import type { GuildMembers, ListedMember } from './guild-members.ts';
import type { Verifications } from './verifications.ts';

/** Results shown of each kind. */
export const SEARCH_RESULTS_MAX = 8;
/** An id begins with a time, so fewer digits would match too many transactions. */
const ID_DIGITS_MIN = 8;

export interface SearchResult {
  members: ListedMember[];
  /** A person verified under exactly this text whom the guild does not know yet. Only with an active plan. */
  stranger: Verification | undefined;
  discharges: Discharge[];
  transfers: Transfer[];
  transactions: LedgerEntry[];
  keys: { keyId: string; name: string }[];
}

export interface GuildSearch {
  /**
   * Finds people, records, transactions and keys of a guild by part of a name, a chat id, a player's id, a record's
   * id or a key's name, or by the beginning of a transaction's id. The search of each kind looks at a bounded number
   * of rows.
   */
  find(guildId: string, text: string, options: { withKeys: boolean }): Promise<SearchResult>;
}

export interface GuildSearchParts {
  guilds: Guilds;
  members: GuildMembers;
  verifications: Verifications;
  discharges: DischargeStore;
  transfers: RecordStore<Transfer>;
  entries: EntryStore;
  keyStore: KeyStore;
  clock: Clock;
}

export function createGuildSearch(parts: GuildSearchParts): GuildSearch {
  const { guilds, members, discharges, transfers, entries, keyStore } = parts;
  return {
    async find(guildId, given, { withKeys }) {
      const text = given.trim();
      const guild = await guilds.find(guildId);
      if (text === '') {
        const { members: found } = await members.list(guildId, { limit: SEARCH_RESULTS_MAX });
        return {
          members: found,
          stranger: undefined,
          discharges: [],
          transfers: [],
          transactions: [],
          keys: [],
        };
      }
      const [people, foundDischarges, foundTransfers, transactions, keys, stranger] = await Promise.all([
        members.list(guildId, { query: text, limit: SEARCH_RESULTS_MAX }),
        discharges.walk(guild, walkFor(text)),
        transfers.walk(guild, walkFor(text)),
        findTransactions(entries, guild, text),
        withKeys ? findKeys(keyStore, guild, text) : [],
        findVerified(guild, text, parts),
      ]);
      return {
        members: ranked(people.members, text),
        stranger: people.members.some(({ chatId }) => chatId === stranger?.chatId) ? undefined : stranger,
        discharges: foundDischarges,
        transfers: foundTransfers,
        transactions,
        keys,
      };
    },
  };
}

function walkFor(search: string) {
  return {
    range: { sinceMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER },
    search,
    type: undefined,
    playerId: undefined,
    before: undefined,
    limit: SEARCH_RESULTS_MAX,
  };
}

/**
 * Orders members: an equal name or id first, then those whose name or id begins with the text, then the others, each
 * by descending balance.
 */
function ranked(members: readonly ListedMember[], text: string): ListedMember[] {
  const wanted = text.toLowerCase();
  const rank = ({ playerId, chatId = '', name = '' }: ListedMember) => {
    const texts = [playerId, chatId, name].map((value) => value.toLowerCase());
    if (texts.includes(wanted)) {
      return 0;
    }
    return texts.some((value) => value.startsWith(wanted)) ? 1 : 2;
  };
  return members.toSorted((one, other) => rank(one) - rank(other));
}

async function findTransactions(entries: EntryStore, guild: GuildRef, text: string): Promise<LedgerEntry[]> {
  const digits = text.toLowerCase().replaceAll('-', '');
  if (digits.length < ID_DIGITS_MIN || !/^[0-9a-f]{1,32}$/.test(digits)) {
    return [];
  }
  return entries.findByPrefix(guild, digits, SEARCH_RESULTS_MAX);
}

async function findKeys(store: KeyStore, guild: GuildRef, text: string): Promise<SearchResult['keys']> {
  const wanted = text.toLowerCase();
  const found = (await store.listNames(guild)).filter(
    ({ name, keyId }) => name.toLowerCase().includes(wanted) || keyId === text,
  );
  return found.slice(0, SEARCH_RESULTS_MAX);
}

async function findVerified(
  guild: Guild,
  text: string,
  { verifications, clock }: GuildSearchParts,
): Promise<Verification | undefined> {
  return hasActivePlan(guild, clock.nowMs()) ? verifications.lookUp(text) : undefined;
}
