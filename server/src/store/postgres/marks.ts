import { DomainError } from '../../domain/errors.ts';
import type { Database } from './connection.ts';
import { closedError, toDomainError } from './faults.ts';
import { askMarks, type MarksRow } from './marks-statements.ts';
import { createPipelines } from './pipelined.ts';

/** Reads that may wait for one statement. More are refused at once. */
const WAITING_MAX = 10_000;
const STATEMENTS_MAX = 2;
/** Connections for reading counters. The coordinator of a distributed store has more, because it needs a statement for each guild. */
const LINES = 1;
const LINES_DISTRIBUTED = 2;

export interface AccountMark {
  accountNo: number;
  count: number;
  /** The number of archived transactions, with which the account begins. */
  skipped: number;
}

/**
 * Reads the counters that validate cached entries. Each read reflects every commit acknowledged before the call, by
 * any instance. Notifications would not do: they can be late or lost.
 */
export interface Marks {
  /** The number of the last entry in a guild's log. */
  ofLog(guildNo: number): Promise<number>;
  ofAccount(guildNo: number, playerId: string): Promise<AccountMark | undefined>;
  /**
   * Changes with each transaction of a guild and with each entry in its log, which renaming a key writes. Undefined on
   * a distributed store, which is not asked.
   */
  ofLedger(guildNo: number): Promise<string | undefined>;
}

/** Counters on one server. */
export interface ServerMarks extends Marks {
  /** Refuses later reads; pending ones get their answers. */
  close(): Promise<void>;
}

/** Reads that go out in one statement, each counter once. */
interface Batch {
  logs: Map<number, number>;
  accounts: Map<string, number>;
  accountGuilds: number[];
  playerIds: string[];
  ledgers: Map<number, number>;
  waiting: number;
  row: Promise<MarksRow>;
  begin: () => void;
}

/**
 * Sends all reads of one turn of the event loop in one small statement, on a connection of their own. Reads that
 * arrive while STATEMENTS_MAX statements are pending go out together in the next one.
 */
export function createMarks(database: Database): ServerMarks {
  const isCoordinator = database.isDistributed && database.isWorker !== true;
  const lines = Math.min(isCoordinator ? LINES_DISTRIBUTED : LINES, database.connections);
  const pipelines = createPipelines(database, lines, 'mark');
  const ask = askMarks(database, pipelines, lines);
  // A pooler may run each statement in another session, so only one is sent at a time.
  const statementsMax = database.isPooled ? 1 : STATEMENTS_MAX;
  let next: Batch | undefined;
  let underWay = 0;
  let isClosed = false;

  async function send(batch: Batch): Promise<MarksRow> {
    underWay += 1;
    try {
      return await ask({
        ...batch,
        logGuilds: [...batch.logs.keys()],
        ledgerGuilds: [...batch.ledgers.keys()],
      });
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
      ledgers: new Map(),
      waiting: 0,
      row: promise,
      begin: () => resolve(send(batch)),
    };
    setImmediate(sendNext);
    return batch;
  }

  /** The batch that a read may join. */
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
      const { accountNos, counts, archivedCounts } = await row;
      const [accountNo, count] = [accountNos?.[place], counts?.[place]];
      return typeof accountNo === 'number' && typeof count === 'number'
        ? { accountNo, count, skipped: archivedCounts?.[place] ?? 0 }
        : undefined;
    },
    async ofLedger(guildNo) {
      const { ledgers, row } = join();
      const place = placeIn(ledgers, guildNo);
      return (await row).ledgers?.[place];
    },
    async close() {
      isClosed = true;
      await next?.row.catch(() => {});
      await pipelines.close();
    },
  };
}

/** The index of a name, given at its first use. */
function placeIn<Name>(places: Map<Name, number>, name: Name): number {
  const place = places.get(name) ?? places.size;
  places.set(name, place);
  return place;
}
