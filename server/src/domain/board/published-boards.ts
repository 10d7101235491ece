import { createCache } from '../cache.ts';
import { DomainError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { type Board, type BoardStore, isBoardName } from './board.ts';

/** Names that are kept in memory, of boards and of none. */
const NAMES_MAX = 20_000;
/** Names in one statement. */
const BATCH_MAX = 500;
/** Names that wait for the store. More are refused. */
const WAITING_MAX = 5_000;

export interface PublishedBoards {
  /**
   * The published board of a name. The same object as before while its settings are the same. Synchronous while no board of the
   * installation has changed since the last call for this name.
   */
  find(name: string): MaybePromise<Board | undefined>;
}

interface Known {
  revision: number;
  board: Board | undefined;
}

interface Waiting {
  name: string;
  revision: number;
  resolve: (board: Board | undefined) => void;
  reject: (error: unknown) => void;
}

/**
 * Finds published boards by name, from memory while the counter of boards stands still. Names that are not in memory are looked up
 * together, in one statement at a time, so that requests for names that nobody has chosen cost the store little.
 */
export function createPublishedBoards(store: Pick<BoardStore, 'findNamed' | 'revision'>): PublishedBoards {
  const known = createCache<Known>(NAMES_MAX);
  let waiting: Waiting[] = [];
  let isLooking = false;

  function findAt(name: string, revision: number): MaybePromise<Board | undefined> {
    const entry = known.get(name);
    return entry?.revision === revision ? entry.board : wait(name, revision);
  }

  function wait(name: string, revision: number): Promise<Board | undefined> {
    if (waiting.length >= WAITING_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: 2 });
    }
    return new Promise((resolve, reject) => {
      waiting.push({ name, revision, resolve, reject });
      lookUp();
    });
  }

  async function lookUp(): Promise<void> {
    if (isLooking) {
      return;
    }
    isLooking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      try {
        const names = [...new Set(batch.map(({ name }) => name))];
        const found = new Map((await store.findNamed(names)).map((board) => [board.name, board]));
        for (const { name, revision, resolve } of batch) {
          resolve(keep(name, revision, found.get(name)));
        }
      } catch (error) {
        for (const { reject } of batch) {
          reject(error);
        }
      }
    }
    isLooking = false;
  }

  /** The counter was read before the board, so a later change makes the entry invalid. */
  function keep(name: string, revision: number, found: Board | undefined): Board | undefined {
    const published = found?.isPublished === true ? found : undefined;
    const former = known.get(name)?.board;
    const board = isSame(former, published) ? former : published;
    known.set(name, { revision, board });
    return board;
  }

  return {
    find(name) {
      if (!isBoardName(name)) {
        return undefined;
      }
      const revision = store.revision();
      return revision instanceof Promise
        ? revision.then((value) => findAt(name, value))
        : findAt(name, revision);
    },
  };
}

function isSame(one: Board | undefined, other: Board | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
