import type { NewVerification, PastUser, Verification } from '../model.ts';

export interface VerificationContext {
  /** The person now verified with the game account, with their past accounts. */
  holder: Verification | undefined;
  /** The person's present verification. */
  before: Verification | undefined;
  /** The person's past accounts. They are kept when the person is no longer verified. */
  pastUsers: readonly PastUser[];
}

export interface VerificationDecision {
  after: Verification;
  /**
   * A game account has one holder at a time: the former holder is no longer verified, and the account becomes a past
   * one.
   */
  former: { chatId: string; username: string; pastUsers: PastUser[] } | undefined;
}

/** Decides the new state of a person who is verified, and of the former holder of the game account. */
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

/** Keeps the first (newest) entry of each account, and drops the present account. */
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
