import { type Guilds, hasActivePlan } from '../access/guilds.ts';
import type { LedgerViewStore } from '../ledger/ledger-views.ts';
import { floorOf } from '../ledger/posting.ts';
import type { Clock } from '../ports.ts';
import type { MemberStore, NamedPlayer } from './member-store.ts';

/** The largest number of people in one list. */
export const RECIPIENTS_MAX = 1_000;
/** Of an ambiguous text, the number of people that are returned. */
const CANDIDATES_MAX = 8;

/** A player who may get money, with the values that a preview needs. */
export interface Recipient {
  playerId: string;
  /** The verified name; without one, the name in one of the guild's records. */
  name: string | undefined;
  chatId: string | undefined;
  hasAccount: boolean;
  balanceUnits: number;
  /** The lowest balance to which a withdrawal may take the account; undefined when there is none. */
  lowestUnits: number | undefined;
}

export interface Recipients {
  /**
   * Finds the players that texts name by player id, chat id or name, in the order of the texts. Nobody for an unknown
   * text, several players for an ambiguous one. People whom only other guilds know are found with an active plan only,
   * and only when the text names nobody of the guild.
   */
  find(guildId: string, texts: readonly string[]): Promise<Recipient[][]>;
}

export function createRecipients(parts: {
  guilds: Guilds;
  members: Pick<MemberStore, 'findNamed'>;
  views: Pick<LedgerViewStore, 'findFunds'>;
  clock: Clock;
}): Recipients {
  const { guilds, members, views, clock } = parts;
  return {
    async find(guildId, given) {
      const texts = given.map((text) => text.trim());
      const guild = await guilds.find(guildId);
      const players = await members.findNamed(guild, [...new Set(texts)]);
      const found = matchTexts(texts, players, { withStrangers: hasActivePlan(guild, clock.nowMs()) });
      const ids = new Set(found.flat().map(({ playerId }) => playerId));
      const accounts = await views.findFunds(guild, [...ids]);
      const funds = new Map(accounts.map((account) => [account.playerId, account]));
      const toRecipient = ({ playerId, username, recordNames, chatId }: NamedPlayer): Recipient => {
        const account = funds.get(playerId);
        const lowest = floorOf(account ?? {}, guild.overdraftAllowed);
        return {
          playerId,
          name: username ?? recordNames[0],
          chatId,
          hasAccount: account !== undefined,
          balanceUnits: account?.balanceUnits ?? 0,
          lowestUnits: Number.isFinite(lowest) ? lowest : undefined,
        };
      };
      return found.map((candidates) => candidates.map(toRecipient));
    },
  };
}

/** The players that each text names. Several names of one player are one candidate. */
export function matchTexts(
  texts: readonly string[],
  players: readonly NamedPlayer[],
  { withStrangers }: { withStrangers: boolean },
): NamedPlayer[][] {
  const byText = new Map<string, Set<NamedPlayer>>();
  const add = (text: string, player: NamedPlayer) => {
    const named = byText.get(text) ?? new Set();
    byText.set(text, named.add(player));
  };
  for (const player of players) {
    const names = [player.username ?? [], player.recordNames].flat().map((name) => name.toLowerCase());
    for (const text of new Set([
      ...[player.playerId, player.chatId ?? []].flat().map(asId),
      ...names.map(asName),
    ])) {
      add(text, player);
    }
  }
  return texts.map((text) => {
    const named = new Set([
      ...(byText.get(asId(text)) ?? []),
      ...(byText.get(asName(text.toLowerCase())) ?? []),
    ]);
    const own = [...named].filter(({ isMember }) => isMember);
    const candidates = own.length > 0 || !withStrangers ? own : [...named];
    return candidates.slice(0, CANDIDATES_MAX);
  });
}

const asId = (id: string) => `id ${id}`;
const asName = (name: string) => `name ${name}`;
