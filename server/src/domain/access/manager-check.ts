import type { ManagedGuild, Session } from '../model.ts';
import type { Clock } from '../ports.ts';
import type { Sessions } from './sessions.ts';

const MINUTE_MS = 60_000;
/** A list of this age is asked for again, while the person goes on with the present one. */
const STALE_MS = 2 * MINUTE_MS;
/** A list of this age opens nothing: who was demoted before it came is out by now. */
export const TRUSTED_MS = 5 * MINUTE_MS;
/** A platform in trouble is not asked again on anybody's behalf sooner than this, as long as nobody has to wait for it. */
const RETRY_MS = 15_000;
/** Beyond this many the sessions used longest ago are forgotten, and asked about once more. */
const SESSIONS_MAX = 2_000;

/** What a person may do with guilds, by the platform's word of the last minutes. */
export interface ManagerCheck {
  /**
   * The guilds the person manages or may have a role in, by a word of the platform that is less than five minutes old. Past two minutes it is
   * asked again in the background, so that active people never wait.
   */
  currentGuilds(session: Session): Promise<readonly ManagedGuild[]>;
  /** The same by a word of the platform that is new. Belongs before every change. */
  askGuilds(session: Session): Promise<readonly ManagedGuild[]>;
}

interface Known {
  /** Kept here too: a store that takes no writes must not bring an older list back. */
  guilds: readonly ManagedGuild[];
  askedAtMs: number;
  triedAtMs: number;
}

export function createManagerCheck(sessions: Pick<Sessions, 'askManagedGuilds'>, clock: Clock): ManagerCheck {
  const known = new Map<string, Known>();
  const underWay = new Map<string, Promise<readonly ManagedGuild[]>>();

  /** What this process knows of a session. Another process may have asked later; then it is asked once more. */
  function recall({ tokenHash, guilds, createdAtMs }: Session): Known {
    const entry = known.get(tokenHash);
    // The sign-in has asked as well.
    return entry !== undefined && entry.askedAtMs >= createdAtMs
      ? entry
      : { guilds, askedAtMs: createdAtMs, triedAtMs: entry?.triedAtMs ?? createdAtMs };
  }

  function remember(tokenHash: string, entry: Known): void {
    // Taken out first, so that it goes to the end of the line.
    known.delete(tokenHash);
    known.set(tokenHash, entry);
    const [oldest] = known.keys();
    if (known.size > SESSIONS_MAX && oldest !== undefined) {
      known.delete(oldest);
    }
  }

  /** Requests of one session that ask at the same time share the answer: platforms limit how often one may ask. */
  function ask(session: Session): Promise<readonly ManagedGuild[]> {
    const { tokenHash } = session;
    const present = underWay.get(tokenHash);
    if (present !== undefined) {
      return present;
    }
    const triedAtMs = clock.nowMs();
    remember(tokenHash, { ...recall(session), triedAtMs });
    const asking = sessions.askManagedGuilds(session).then((guilds) => {
      // The answer is at least as new as the question.
      remember(tokenHash, { guilds, askedAtMs: triedAtMs, triedAtMs });
      return guilds;
    });
    const shared = asking.finally(() => underWay.delete(tokenHash));
    underWay.set(tokenHash, shared);
    return shared;
  }

  return {
    async currentGuilds(session) {
      const { guilds, askedAtMs, triedAtMs } = recall(session);
      const nowMs = clock.nowMs();
      if (nowMs - askedAtMs >= TRUSTED_MS) {
        return ask(session);
      }
      if (nowMs - askedAtMs >= STALE_MS && nowMs - triedAtMs >= RETRY_MS) {
        // A failure shows to whoever has to wait for the answer, five minutes after the last one at the latest.
        ask(session).catch(() => {});
      }
      return guilds;
    },
    askGuilds: ask,
  };
}
