import { DomainError } from '../../domain/errors.ts';
import type { Target } from './connection.ts';
import { closedError, toDomainError } from './faults.ts';
import { askMarks, type MarksRow } from './marks-statements.ts';
import { createPipelines } from './pipelined.ts';

/** Reads that wait for one statement; beyond this many they are refused at once. */
const WAITING_MAX = 10_000;
const STATEMENTS_MAX = 2;
/** Connections for the questions. Where tables are distributed, each guild's take a statement. */
const LINES = 1;
const LINES_DISTRIBUTED = 4;

export interface AccountMark {
  accountNo: number;
  count: number;
}

/**
 * Tells what tells whether something in memory is still valid, as of a moment after the question: what was acknowledged
 * before it, by whatever instance, is included. Nothing older would do, and notifications can be late or lost.
 */
export interface Marks {
  /** The number of the last entry in a guild's log. */
  ofLog(guildNo: number): Promise<number>;
  ofAccount(guildNo: number, playerId: string): Promise<AccountMark | undefined>;
  /** Later questions are refused; those under way get their answers. */
  close(): Promise<void>;
}

/** Questions that go out in one statement, each once. */
interface Batch {
  logs: Map<number, number>;
  accounts: Map<string, number>;
  accountGuilds: number[];
  playerIds: string[];
  waiting: number;
  row: Promise<MarksRow>;
  begin: () => void;
}

/**
 * All questions of one turn of the event loop go out in one small statement, on a connection of their own. Those that
 * come while two statements are under way wait for the next one together.
 */
export function createMarks(target: Target): Marks {
  const lines = Math.min(target.isDistributed ? LINES_DISTRIBUTED : LINES, target.connections);
  const pipelines = createPipelines(target, lines);
  const ask = askMarks(target, pipelines, lines);
  // A pooler may hand each statement to another session.
  const statementsMax = target.isPooled ? 1 : STATEMENTS_MAX;
  let next: Batch | undefined;
  let underWay = 0;
  let isClosed = false;

  async function send(batch: Batch): Promise<MarksRow> {
    underWay += 1;
    try {
      return await ask({ logGuilds: [...batch.logs.keys()], ...batch });
    } catch (error) {
      throw toDomainError(error);
    } finally {
      underWay -= 1;
      sendNext();
    }
  }

  function sendNext(): void {
    if (next !== undefined && underWay < statementsMax) {
      const batch = next;
      next = undefined;
      batch.begin();
    }
  }

  function createBatch(): Batch {
    const { promise, resolve } = Promise.withResolvers<MarksRow>();
    const batch: Batch = {
      logs: new Map(),
      accounts: new Map(),
      accountGuilds: [],
      playerIds: [],
      waiting: 0,
      row: promise,
      begin: () => resolve(send(batch)),
    };
    setImmediate(sendNext);
    return batch;
  }

  /** The batch that a question may join. */
  function join(): Batch {
    if (isClosed) {
      throw closedError();
    }
    next ??= createBatch();
    if (next.waiting >= WAITING_MAX) {
      throw new DomainError('overloaded', { retryAfterSeconds: 1 });
    }
    next.waiting += 1;
    return next;
  }

  return {
    async ofLog(guildNo) {
      const { logs, row } = join();
      const place = placeIn(logs, guildNo);
      return (await row).entryNos?.[place] ?? 0;
    },
    async ofAccount(guildNo, playerId) {
      const { accounts, accountGuilds, playerIds, row } = join();
      const place = placeIn(accounts, `${guildNo} ${playerId}`);
      if (place === playerIds.length) {
        accountGuilds.push(guildNo);
        playerIds.push(playerId);
      }
      const { accountNos, counts } = await row;
      const [accountNo, count] = [accountNos?.[place], counts?.[place]];
      return typeof accountNo === 'number' && typeof count === 'number' ? { accountNo, count } : undefined;
    },
    async close() {
      isClosed = true;
      await next?.row.catch(() => {});
      await pipelines.close();
    },
  };
}

/** The place of a name, counted from 0, given at its first mention. */
function placeIn<Name>(places: Map<Name, number>, name: Name): number {
  const place = places.get(name) ?? places.size;
  places.set(name, place);
  return place;
}
