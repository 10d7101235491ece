import type { Board } from '../../domain/board/board.ts';
import type { PublishedBoards } from '../../domain/board/published-boards.ts';
import { createCache } from '../../domain/cache.ts';
import { DomainError } from '../../domain/errors.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Clock } from '../../domain/ports.ts';

/** How long a made board is sent. */
const FRESH_MS = 60_000;
/** An older one is still sent while the next one is made, up to this age. */
const STALE_MS = 120_000;
/** Boards that are made at the same time. */
const MAKING_MAX = 2;
/** Boards that wait to be made. Requests for more are refused. */
const WAITING_MAX = 1_000;
/** Bytes of made boards in each of the two generations of the cache. */
const BYTES_MAX = 32 * 1024 * 1024;

export interface BoardCacheParts<Made> {
  published: PublishedBoards;
  clock: Pick<Clock, 'monotonicMs'>;
  make: (board: Board) => Promise<Made>;
}

export interface BoardCache<Made> {
  /** The made form of the published board of a name; undefined when there is none. Synchronous when it is in memory. */
  find(name: string): MaybePromise<Made | undefined>;
}

interface Entry<Made> {
  board: Board;
  made: Made;
  madeAtMs: number;
}

/**
 * Makes each board at most once a minute, and one board once at a time. A few boards are made at the same time, and others wait for their
 * turn, so that boards never take the store from other requests.
 */
export function createBoardCache<Made extends { byteLength: number }>({
  published,
  clock,
  make,
}: BoardCacheParts<Made>): BoardCache<Made> {
  const entries = createCache<Entry<Made>>(BYTES_MAX);
  const underWay = new Map<string, { board: Board; made: Promise<Made> }>();
  const waiting: (() => void)[] = [];
  let making = 0;

  async function takeTurn(): Promise<void> {
    if (making < MAKING_MAX) {
      making += 1;
      return;
    }
    if (waiting.length >= WAITING_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: 2 });
    }
    // The one before passes its turn on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next === undefined) {
      making -= 1;
    } else {
      next();
    }
  }

  async function makeInTurn(board: Board): Promise<Made> {
    await takeTurn();
    try {
      const madeAtMs = clock.monotonicMs();
      const made = await make(board);
      entries.set(board.name, { board, made, madeAtMs }, made.byteLength);
      return made;
    } finally {
      endTurn();
    }
  }

  function makeOnce(board: Board): Promise<Made> {
    const present = underWay.get(board.name);
    if (present?.board === board) {
      return present.made;
    }
    const made = makeInTurn(board);
    const mine = { board, made };
    underWay.set(board.name, mine);
    const forget = () => {
      if (underWay.get(board.name) === mine) {
        underWay.delete(board.name);
      }
    };
    made.then(forget, forget);
    return made;
  }

  function findMade(board: Board | undefined): MaybePromise<Made | undefined> {
    if (board === undefined) {
      return undefined;
    }
    const entry = entries.get(board.name);
    // A change of the settings makes another object.
    if (entry?.board !== board) {
      return makeOnce(board);
    }
    const ageMs = clock.monotonicMs() - entry.madeAtMs;
    if (ageMs < FRESH_MS) {
      return entry.made;
    }
    const next = makeOnce(board);
    if (ageMs >= STALE_MS) {
      return next;
    }
    // A visitor after the second minute gets the failure.
    next.catch(() => {});
    return entry.made;
  }

  return {
    find(name) {
      const board = published.find(name);
      return board instanceof Promise ? board.then(findMade) : findMade(board);
    },
  };
}
