import type { ManagedGuild, Session } from '../model.ts';
import type { Clock } from '../ports.ts';
import type { Sessions } from './sessions.ts';

const MINUTE_MS = 60_000;
/** A list of this age is fetched again in the background while requests still use it. */
const STALE_MS = 2 * MINUTE_MS;
/** A list of this age is no longer used: by then everybody who was demoted before it was fetched has lost access. */
export const TRUSTED_MS = 5 * MINUTE_MS;
/** After a failure the platform is not asked again sooner than this in the background. */
const RETRY_MS = 15_000;
/** Beyond this number the least recently used sessions are dropped from the cache, and asked about again. */
const SESSIONS_MAX = 2_000;

/** Returns the guilds that a person manages or may have a role in, as the chat platform lists them. */
export interface ManagerCheck {
  /**
   * The list is less than five minutes old. After two minutes it is fetched again in the background, so that active
   * people never wait.
   */
  currentGuilds(session: Session): Promise<readonly ManagedGuild[]>;
  /**
   * Asks the chat platform now, bypassing the cache. Call it before every change. The request is sent after the call,
   * so that the answer reflects every earlier demotion.
   */
  askGuilds(session: Session): Promise<readonly ManagedGuild[]>;
}

interface Known {
  /** Kept here too: when the store cannot be written, its older list must not be used again. */
  guilds: readonly ManagedGuild[];
  askedAtMs: number;
  triedAtMs: number;
}

type Answer = Promise<readonly ManagedGuild[]>;

interface Question {
  answer: Answer;
  /** The request that is sent after this one is answered; undefined while nobody waits for it. */
  next: Answer | undefined;
}

export function createManagerCheck(sessions: Pick<Sessions, 'askManagedGuilds'>, clock: Clock): ManagerCheck {
  const known = new Map<string, Known>();
  /** Has no bound of its own: at most one request per session is pending, each has callers that wait, and these are limited. */
  const underWay = new Map<string, Question>();

  /**
   * The newest list this process knows of a session. Another process may have a newer one; then it is fetched once
   * more.
   */
  function recall({ tokenHash, guilds, createdAtMs }: Session): Known {
    const entry = known.get(tokenHash);
    // The sign-in has asked the platform as well, at `createdAtMs`.
    return entry !== undefined && entry.askedAtMs >= createdAtMs
      ? entry
      : { guilds, askedAtMs: createdAtMs, triedAtMs: entry?.triedAtMs ?? createdAtMs };
  }

  function remember(tokenHash: string, entry: Known): void {
    // Deleted first, so that the entry moves to the end of the map.
    known.delete(tokenHash);
    known.set(tokenHash, entry);
    const [oldest] = known.keys();
    if (known.size > SESSIONS_MAX && oldest !== undefined) {
      known.delete(oldest);
    }
  }

  /** Shares a pending request, however long ago it was sent: platforms limit the number of requests. */
  function ask(session: Session): Answer {
    return underWay.get(session.tokenHash)?.answer ?? send(session);
  }

  function send(session: Session): Answer {
    const { tokenHash } = session;
    const triedAtMs = clock.nowMs();
    remember(tokenHash, { ...recall(session), triedAtMs });
    const asking = sessions.askManagedGuilds(session).then((guilds) => {
      // The answer is at least as new as the request.
      remember(tokenHash, { guilds, askedAtMs: triedAtMs, triedAtMs });
      return guilds;
    });
    const answer = asking.finally(() => underWay.delete(tokenHash));
    underWay.set(tokenHash, { answer, next: undefined });
    return answer;
  }

  /**
   * A pending request may have been sent before a demotion. So another one is sent once it is answered, and shared by
   * all callers that wait by then.
   */
  function askAfterCall(session: Session): Answer {
    const present = underWay.get(session.tokenHash);
    if (present === undefined) {
      return send(session);
    }
    // A request that is pending by then was sent after this one ended, so its answer is new enough.
    const askNext = () => ask(session);
    present.next ??= present.answer.then(askNext, askNext);
    return present.next;
  }

  return {
    async currentGuilds(session) {
      const { guilds, askedAtMs, triedAtMs } = recall(session);
      const nowMs = clock.nowMs();
      if (nowMs - askedAtMs >= TRUSTED_MS) {
        return ask(session);
      }
      if (nowMs - askedAtMs >= STALE_MS && nowMs - triedAtMs >= RETRY_MS) {
        // The failure is ignored here. Once the list is older than `TRUSTED_MS`, callers wait for the answer and get
        // the error.
        ask(session).catch(() => {});
      }
      return guilds;
    },
    askGuilds: askAfterCall,
  };
}
