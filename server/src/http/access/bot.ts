import { hash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../domain/errors.ts';
import type { Access } from '../pipeline.ts';
import type { FailedAuthentications } from './failed-authentications.ts';

/** For the operator's bot: its token as a bearer, compared in a time that tells nothing about it. */
export function createBotAccess(token: string, failures: FailedAuthentications): Access<void> {
  // Hashes have one length, which the comparison needs, and they do not tell the token's.
  const expected = hash('sha256', `Bearer ${token}`, 'buffer');
  return {
    async identify(request) {
      const given = hash('sha256', request.raw.headers.authorization ?? '', 'buffer');
      if (!timingSafeEqual(given, expected)) {
        await failures.count(request);
        throw new DomainError('bot_unauthorized');
      }
    },
  };
}
