import { hash, timingSafeEqual } from 'node:crypto';
import type { BaseLogger } from 'pino';
import { DomainError } from '../../domain/errors.ts';
import type { Access } from '../pipeline.ts';
import type { FailedAuthentications } from './failed-authentications.ts';

/**
 * The tokens that the operator's bot may send. The previous one is accepted too, so that the token can be replaced
 * without an interruption.
 */
export interface BotTokens {
  present: string;
  previous: string | undefined;
}

/** For the operator's bot: its token as a bearer, compared in constant time. */
export function createBotAccess(
  { present, previous }: BotTokens,
  { failures, logger }: { failures: FailedAuthentications; logger: BaseLogger },
): Access<void> {
  const expected = hashOfBearer(present);
  const expectedBefore = previous === undefined ? undefined : hashOfBearer(previous);
  let isReported = false;
  return {
    async identify(request) {
      const given = hash('sha256', request.raw.headers.authorization ?? '', 'buffer');
      // Compares both in any case, so that the duration does not reveal which of them was given.
      const isPresent = timingSafeEqual(given, expected);
      const isPrevious = expectedBefore !== undefined && timingSafeEqual(given, expectedBefore);
      if (!isPresent && !isPrevious) {
        await failures.count(request);
        throw new DomainError('bot_unauthorized');
      }
      if (isPrevious && !isReported) {
        isReported = true;
        logger.warn(
          'the bot still sends BOT_TOKEN_PREVIOUS: give it BOT_TOKEN, then remove the previous one',
        );
      }
    },
  };
}

/** `timingSafeEqual` needs equal lengths. Hashes have them, and hide the length of the token. */
function hashOfBearer(token: string): Buffer {
  return hash('sha256', `Bearer ${token}`, 'buffer');
}
