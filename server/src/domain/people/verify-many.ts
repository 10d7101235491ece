import type { Change, GuildRef, PutOutcome } from '../model.ts';
import type { VerificationStore } from '../ports.ts';
import type { ImportOptions } from '../records/records.ts';
import type { MemberStore, NamedPlayer } from './member-store.ts';

export interface MemberLink {
  playerId: string;
  chatId: string;
  username: string;
}

/** `exists`: another verification was left as it is. `unknown`: the guild does not know the player. */
export type ImportedLink = PutOutcome | 'exists' | 'unknown';

interface VerifyManyInput {
  guild: GuildRef;
  links: readonly MemberLink[];
  change: Change;
  options: ImportOptions;
}

/**
 * Verifies those of the players that the guild knows, in one commit. People who are verified with another game
 * account, and accounts of other people, stay as they are unless `overwrites` is set. With `isCheckOnly` nothing is
 * written and the outcomes are those of the present moment.
 */
export async function verifyMany(
  parts: { members: Pick<MemberStore, 'findNamed'>; verificationStore: VerificationStore },
  { guild, links, change, options: { overwrites = false, isCheckOnly = false } }: VerifyManyInput,
): Promise<ImportedLink[]> {
  const { members, verificationStore } = parts;
  const texts = new Set(links.flatMap(({ playerId, chatId }) => [playerId, chatId]));
  const players = await members.findNamed(guild, [...texts]);
  const known = new Set(players.filter(({ isMember }) => isMember).map(({ playerId }) => playerId));
  const wanted = links.filter(({ playerId }) => known.has(playerId));
  const write = overwrites ? verificationStore.put : verificationStore.addFree;
  const outcomes = isCheckOnly
    ? checkLinks(wanted, players, overwrites)
    : wanted.length === 0
      ? []
      : await write(wanted, change, guild);
  const byLink = new Map(wanted.map((link, index) => [link, outcomes[index]]));
  return links.map((link) => byLink.get(link) ?? 'unknown');
}

function checkLinks(
  links: readonly MemberLink[],
  players: readonly NamedPlayer[],
  overwrites: boolean,
): (PutOutcome | 'exists')[] {
  const byPlayer = new Map(players.map((player) => [player.playerId, player]));
  const byChat = new Map(players.map((player) => [player.chatId, player]));
  return links.map(({ playerId, chatId, username }) => {
    const person = byChat.get(chatId);
    const holder = byPlayer.get(playerId)?.chatId;
    if (person?.playerId === playerId && person.username === username) {
      return 'unchanged';
    }
    if (person === undefined && holder === undefined) {
      return 'created';
    }
    return overwrites ? 'updated' : 'exists';
  });
}
