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

/** Returns the guilds that a person manages or may have a role in, as the chat platform lists them. */
export interface ManagerCheck {
  /**
   * The list is less than five minutes old. After two minutes it is asked for again in the background, so that active people never
   * wait.
   */
  currentGuilds(session: Session): Promise<readonly ManagedGuild[]>;
  /**
   * Asks the chat platform now, bypassing the cache. Call it before every change. The question is sent after the call, so that the
   * answer reflects every demotion before it.
   */
  askGuilds(session: Session): Promise<readonly ManagedGuild[]>;
}

interface Known {
  /** Kept here too: a store that takes no writes must not bring an older list back. */
  guilds: readonly ManagedGuild[];
  askedAtMs: number;
  triedAtMs: number;
}

type Answer = Promise<readonly ManagedGuild[]>;

interface Question {
  answer: Answer;
  /** The question that is sent once this one is answered, as soon as somebody waits for it. */
  next: Answer | undefined;
}

export function createManagerCheck(sessions: Pick<Sessions, 'askManagedGuilds'>, clock: Clock): ManagerCheck {
  const known = new Map<string, Known>();
  /** At most one question of a session is under way. Each belongs to requests that wait, and those are limited. */
  const underWay = new Map<string, Question>();

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

  /** Shares a question that is under way, however long ago it was sent: platforms limit how often one may ask. */
  function ask(session: Session): Answer {
    return underWay.get(session.tokenHash)?.answer ?? send(session);
  }

  function send(session: Session): Answer {
    const { tokenHash } = session;
    const triedAtMs = clock.nowMs();
    remember(tokenHash, { ...recall(session), triedAtMs });
    const asking = sessions.askManagedGuilds(session).then((guilds) => {
      // The answer is at least as new as the question.
      remember(tokenHash, { guilds, askedAtMs: triedAtMs, triedAtMs });
      return guilds;
    });
    const answer = asking.finally(() => underWay.delete(tokenHash));
    underWay.set(tokenHash, { answer, next: undefined });
    return answer;
  }

  /**
   * A question that is under way may have been sent before a demotion. So a further one is sent when it is answered, and shared
   * by all who wait meanwhile.
   */
  function askAfterCall(session: Session): Answer {
    const present = underWay.get(session.tokenHash);
    if (present === undefined) {
      return send(session);
    }
    // A question that is under way by then was sent after this one ended, and will do.
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
        // A failure shows to whoever has to wait for the answer, five minutes after the last one at the latest.
        ask(session).catch(() => {});
      }
      return guilds;
    },
    askGuilds: askAfterCall,
  };
}
