import { DomainError } from '../errors.ts';
import type { Session } from '../model.ts';
import type { Clock } from '../ports.ts';
import type { Sessions } from './sessions.ts';

const CONFIRMED_MS = 60_000;
/** Beyond this many the oldest confirmation goes, and its person is asked about once more. */
const CONFIRMATIONS_MAX = 10_000;

/** Refuses with `not_guild_manager` whoever does not manage the guild by the platform's word of the last minute. */
export type ManagerCheck = (session: Session, guildId: string) => Promise<void>;

/**
 * Asks the platform before a change, but not before each one of a series: a yes holds for a minute. A no is never
 * remembered, because the session itself forgets the guild then.
 */
export function createManagerCheck(sessions: Pick<Sessions, 'askManagedGuilds'>, clock: Clock): ManagerCheck {
  const confirmedAtMs = new Map<string, number>();

  return async (session, guildId) => {
    const key = `${session.tokenHash} ${guildId}`;
    const nowMs = clock.monotonicMs();
    const lastMs = confirmedAtMs.get(key);
    if (lastMs !== undefined && nowMs - lastMs < CONFIRMED_MS) {
      return;
    }
    // Taken out before asking, so that the yes below goes to the end of the line.
    confirmedAtMs.delete(key);
    const managed = await sessions.askManagedGuilds(session);
    if (!managed.some((guild) => guild.guildId === guildId)) {
      confirmedAtMs.delete(key);
      throw new DomainError('not_guild_manager');
    }
    confirmedAtMs.set(key, nowMs);
    const [oldest] = confirmedAtMs.keys();
    if (confirmedAtMs.size > CONFIRMATIONS_MAX && oldest !== undefined) {
      confirmedAtMs.delete(oldest);
    }
  };
}
