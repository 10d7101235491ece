import { DomainError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { RateBucket } from '../../domain/ports.ts';
import type { Lifetimes } from '../lifetimes.ts';
import type { HttpRequest } from '../request.ts';
import { countRequest, type LimitParts } from './rate-limit.ts';

/**
 * Requests of one person, from all their sessions. Use of the pages stays below a fifth of each limit: `e2e/request-limits.test.ts`
 * measures it. Decision 37 has the figures.
 */
export const SESSION_READS: RateBucket = { name: 'session-read', limit: 1_000, windowMs: 10_000 };
export const SESSION_CHANGES: RateBucket = { name: 'session-change', limit: 100, windowMs: 10_000 };
/** Pictures count by themselves: a page asks for one of each person on it. */
export const SESSION_PICTURES: RateBucket = { name: 'session-picture', limit: 3_000, windowMs: 10_000 };
/** Requests of one person that may be pending at once: running, waiting for their turn, or receiving a body. */
export const REQUESTS_PER_PERSON_MAX = 100;
/** Handlers that work for one person at once. Further requests wait for their turn. */
export const HANDLERS_PER_PERSON_MAX = 6;

/** The limits of one kind of requests. */
interface PersonLimits {
  reads: RateBucket;
  changes: RateBucket;
  requestsMax: number;
  handlersMax: number;
}

const USUAL: PersonLimits = {
  reads: SESSION_READS,
  changes: SESSION_CHANGES,
  requestsMax: REQUESTS_PER_PERSON_MAX,
  handlersMax: HANDLERS_PER_PERSON_MAX,
};
/** Handlers of pictures wait for another host most of the time. Apart from the others, they hold up no other request. */
export const PICTURE_LIMITS: PersonLimits = {
  reads: SESSION_PICTURES,
  changes: SESSION_CHANGES,
  requestsMax: 500,
  handlersMax: 50,
};

/** Limits the requests of each signed-in person. Holds an entry for each person with a request under way. */
export interface PersonRequests {
  /**
   * Counts a request against its person's limits, once for each request, and refuses one too many. The place is given back when
   * the request has ended and its handler is done, or when a streamed answer begins: streams have limits of their own.
   */
  enter(request: HttpRequest, order: { chatId: string; isChange: boolean }): MaybePromise<Place>;
}

/** The place of a request among those of its person. */
export interface Place {
  /**
   * Waits until fewer than the largest number of handlers work for the person. It never resolves when the request ends before its
   * turn.
   */
  takeTurn(): MaybePromise<void>;
}

interface Person {
  requests: number;
  handlers: number;
  /** Called in the order in which they came. */
  waiting: Set<() => void>;
}

export function createPersonRequests(
  parts: LimitParts & { lifetimes: Lifetimes },
  limits: PersonLimits = USUAL,
): PersonRequests {
  const people = new Map<string, Person>();

  function join(request: HttpRequest, chatId: string): Place {
    const person = people.get(chatId) ?? { requests: 0, handlers: 0, waiting: new Set() };
    if (person.requests >= limits.requestsMax) {
      parts.onRateLimited('session-unfinished');
      throw new DomainError('rate_limited', {
        detail: `${limits.requestsMax} unfinished requests`,
        retryAfterSeconds: 1,
      });
    }
    people.set(chatId, person);
    person.requests += 1;
    const turn = createTurn(person, request, limits.handlersMax);
    request.releaseWork = parts.lifetimes.holdWork(request, 'session_request', () => {
      turn.giveBack();
      person.requests -= 1;
      if (person.requests === 0) {
        people.delete(chatId);
      }
    });
    return { takeTurn: turn.take };
  }

  return {
    enter(request, { chatId, isChange }) {
      const place = join(request, chatId);
      const bucket = isChange ? limits.changes : limits.reads;
      const counting = countRequest(bucket, { subject: chatId, headers: request.answerHeaders }, parts);
      return counting instanceof Promise ? counting.then(() => place) : place;
    },
  };
}

/** The turn of one request. It is released once, whether or not it was taken. */
function createTurn(person: Person, request: HttpRequest, handlersMax: number) {
  let isTaken = false;
  let isOver = false;
  let onTurn: (() => void) | undefined;

  function begin(): void {
    isTaken = true;
    person.handlers += 1;
    // From here on the handler finishes even if the client disconnects, so the place is held until then.
    request.isAtWork = true;
  }

  return {
    take(): MaybePromise<void> {
      if (isOver) {
        return new Promise(() => {});
      }
      if (person.handlers < handlersMax) {
        return begin();
      }
      return new Promise((resolve) => {
        onTurn = () => {
          begin();
          resolve();
        };
        person.waiting.add(onTurn);
      });
    },
    giveBack(): void {
      isOver = true;
      if (onTurn !== undefined) {
        person.waiting.delete(onTurn);
      }
      if (isTaken) {
        person.handlers -= 1;
        const [next] = person.waiting;
        if (next !== undefined) {
          person.waiting.delete(next);
          next();
        }
      }
    },
  };
}
