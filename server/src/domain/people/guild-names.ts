import { type Guilds, hasActivePlan } from '../access/guilds.ts';
import type { EntryStore } from '../ledger/entries.ts';
import type { Guild, Transfer, VerifiedName } from '../model.ts';
import type { Clock, DischargeStore, RecordStore, VerificationStore } from '../ports.ts';

export interface NamesRequest {
  playerIds?: readonly string[] | undefined;
  chatIds?: readonly string[] | undefined;
}

export interface GuildNames {
  /**
   * The verified people who have one of these game accounts now, or one of these chat accounts. Verifications are shared
   * between guilds: without an active plan, a guild sees only people who have an account or a record in it.
   */
  find(guildId: string, request: NamesRequest): Promise<VerifiedName[]>;
}

export interface GuildNamesParts {
  guilds: Guilds;
  verificationStore: VerificationStore;
  discharges: Pick<DischargeStore, 'countByPlayer'>;
  transfers: Pick<RecordStore<Transfer>, 'countByPlayer'>;
  entries: Pick<EntryStore, 'accounts'>;
  clock: Clock;
}

export function createGuildNames(parts: GuildNamesParts): GuildNames {
  const { guilds, verificationStore, clock } = parts;
  return {
    async find(guildId, { playerIds = [], chatIds = [] }) {
      const guild = await guilds.find(guildId);
      const [holders, people] = await Promise.all([
        verificationStore.findVerified('player', playerIds),
        verificationStore.findVerified('chat', chatIds),
      ]);
      const found = [...new Map([...holders, ...people].map((one) => [one.chatId, one])).values()];
      return hasActivePlan(guild, clock.nowMs()) ? found : ofGuild(guild, found, parts);
    },
  };
}

/** Those who have an account or a record in the guild. */
async function ofGuild(
  guild: Guild,
  people: readonly VerifiedName[],
  { discharges, transfers, entries }: GuildNamesParts,
): Promise<VerifiedName[]> {
  const ids = people.map(({ playerId }) => playerId);
  const [accounts, discharged, transferred] = await Promise.all([
    entries.accounts(guild, ids),
    discharges.countByPlayer(guild, ids),
    transfers.countByPlayer(guild, ids),
  ]);
  return people.filter((_, index) =>
    [accounts[index]?.transactionCount, discharged[index], transferred[index]].some((count = 0) => count > 0),
  );
}
