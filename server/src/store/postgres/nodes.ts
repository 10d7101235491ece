import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import type { WorkerFigures } from '../../domain/store-figures.ts';
import { type DivideByServer, onOneServer } from '../jobs.ts';
import { type Database, openPool } from './connection.ts';
import { createMarks, type Marks } from './marks.ts';
import type { Pipelines } from './pipelined.ts';
import { openPostLines } from './posts.ts';
import { createReads, type Reads } from './read.ts';
import { type NodeParts, routeMarks, routeReads, routeWrites } from './routed.ts';
import { openWorkers, type WorkerEvent } from './workers.ts';
import { onePool, type WritePools } from './write-pools.ts';

/** The connections of a store to its server, or to the nodes of its cluster. */
export interface Nodes {
  reads: Reads;
  marks: Marks;
  pools: WritePools;
  /** The connections for posts of a guild. Throws while the guild's worker is down. */
  linesOf: (guildNo: number) => Pipelines;
  divideByServer: DivideByServer;
  figures: () => WorkerFigures[];
  /** Throws `store_unavailable` when there are workers and all of them are down. */
  assertAnyUp(): void;
  closeReads(): Promise<unknown>;
  /** Call it after `Writer.close`, which waits for pending writes. */
  close(): Promise<void>;
}

export async function openNodes(
  database: Database,
  onWorker: (event: WorkerEvent) => void = () => {},
): Promise<Nodes> {
  const server = openParts(database);
  if (!database.isDistributed) {
    const { reads, marks, posts, statements, closeReads, close } = server;
    const pools = onePool(statements);
    return {
      reads,
      marks,
      pools,
      linesOf: () => posts,
      divideByServer: onOneServer,
      figures: () => [],
      assertAnyUp() {},
      closeReads,
      close,
    };
  }
  const workers = await openWorkers<NodeParts>({
    database,
    coordinator: server,
    onEvent: onWorker,
    open(worker, { isDirect, share }) {
      // Its own idle connections: when the worker does not answer, those of other workers are kept.
      const transactions = openPool({
        ...worker,
        url: database.url,
        connections: share,
        idleClients: new Set(),
      });
      return openParts(isDirect ? worker : { ...worker, connections: share }, transactions);
    },
  }).catch(async (error) => {
    await Promise.all([server.closeReads(), server.close()]);
    throw error;
  });
  return {
    reads: routeReads(workers, server),
    marks: routeMarks(workers),
    pools: routeWrites(workers, server),
    linesOf: (guildNo) => workers.of(guildNo).posts,
    divideByServer: workers.divide,
    figures: workers.figures,
    assertAnyUp() {
      const figures = workers.figures();
      if (figures.length > 0 && figures.every(({ isUp }) => !isUp)) {
        const cause = new Error('no worker of the distributed store answers');
        throw new DomainError('store_unavailable', { cause, retryAfterSeconds: 1 });
      }
    },
    closeReads: () => Promise.all([server, ...workers.all()].map((parts) => parts.closeReads())),
    async close() {
      await Promise.all([workers.close(), server.close()]);
    },
  };
}

/** Opens the connections to one server. `transactions` leads to the coordinator when the server is a worker. */
function openParts(database: Database, transactions?: pg.Pool): NodeParts {
  const reads = createReads(database);
  const marks = createMarks(database);
  const posts = openPostLines(database);
  const statements = openPool(database);
  let readsEnded: Promise<unknown> | undefined;
  const closeReads = () => {
    readsEnded ??= Promise.all([reads.close(), marks.close()]);
    return readsEnded;
  };
  return {
    reads,
    marks,
    posts,
    statements,
    transactions: transactions ?? statements,
    waiting: () =>
      reads.waiting() + posts.waiting() + statements.waitingCount + (transactions?.waitingCount ?? 0),
    closeReads,
    async close() {
      await Promise.all([closeReads(), posts.close(), statements.end(), transactions?.end()]);
    },
  };
}
