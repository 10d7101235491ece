import type { NewVerification, PastUser, Verification } from '../model.ts';

export interface VerificationContext {
  /** Who is verified with the game account now, with the accounts they had before. */
  holder: Verification | undefined;
  /** How the person is verified now. */
  before: Verification | undefined;
  /** The accounts the person had before. They are kept while nobody is verified. */
  pastUsers: readonly PastUser[];
}

export interface VerificationDecision {
  after: Verification;
  /** A game account has one holder at a time: the former one is verified no longer, but remembers it. */
  former: { chatId: string; username: string; pastUsers: PastUser[] } | undefined;
}

/** What verifying a person changes, for the person and for whoever held the game account until now. */
export function decideVerification(
  { chatId, playerId, username, pastUsers }: NewVerification,
  context: VerificationContext,
): VerificationDecision {
  const { holder, before } = context;
  const known = pastUsers ?? [...(before === undefined ? [] : [before]), ...context.pastUsers];
  const isTaken = holder !== undefined && holder.chatId !== chatId;
  return {
    after: { chatId, playerId, username, pastUsers: withoutRepeats(known, playerId) },
    former: isTaken
      ? {
          chatId: holder.chatId,
          username: holder.username,
          pastUsers: withoutRepeats([holder, ...holder.pastUsers]),
        }
      : undefined,
  };
}

/** Keeps the first, which is the newest, of each account, and leaves the present one out. */
function withoutRepeats(users: readonly PastUser[], presentPlayerId?: string): PastUser[] {
  const seen = new Set([presentPlayerId]);
  return users.flatMap(({ playerId, username }) => {
    if (seen.has(playerId)) {
      return [];
    }
    seen.add(playerId);
    return [{ playerId, username }];
  });
}
