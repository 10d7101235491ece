import type pg from 'pg';
import type { ManyRows } from '../sql.ts';
import { toDomainError } from './faults.ts';
import type { Marks, ServerMarks } from './marks.ts';
import type { Pipelines } from './pipelined.ts';
import type { Reads, ServerReads } from './read.ts';
import type { Call, Runner, Snapshot, Statement, Value } from './statement.ts';
import { placeOf } from './statement-place.ts';
import type { WorkerParts, Workers } from './workers.ts';
import { guildOfLane, type WritePools } from './write-pools.ts';

/** The connections of an instance to one node of a distributed store, or to the only server of another one. */
export interface NodeParts extends WorkerParts {
  reads: ServerReads;
  marks: ServerMarks;
  posts: Pipelines;
  /** For writes of rows of the node's guilds. */
  statements: pg.Pool;
  /** Leads to the coordinator, for transactions that also write rows of no guild. */
  transactions: pg.Pool;
  /** Refuses later reads; pending ones get their answers. */
  closeReads(): Promise<unknown>;
}

type Nodes = Workers<NodeParts>;
type Choose = (statement: Statement<unknown> | ManyRows, values?: readonly Value[]) => NodeParts;

/** Chooses the node of each statement. Refuses a statement when a worker that it needs is down. */
function chooser(workers: Nodes, coordinator: NodeParts): Choose {
  return (statement, values = []) => {
    const place = placeOf(statement);
    if (place === 'coordinator') {
      return coordinator;
    }
    if (place === 'everywhere') {
      workers.assertAllUp();
      return coordinator;
    }
    if ('guildsAt' in place) {
      const guilds = values[place.guildsAt];
      for (const guildNo of Array.isArray(guilds) ? guilds : []) {
        workers.of(Number(guildNo));
      }
      return coordinator;
    }
    return workers.of(Number(values[place.guildAt]));
  };
}

/** Runs each statement with the runner that is chosen for it. */
function eachWith(
  at: (statement: Statement<unknown> | ManyRows, values?: readonly Value[]) => Runner | Promise<Runner>,
): Omit<Runner, 'preferIndexes' | 'notify' | 'allowRemoval'> {
  return {
    all: async (statement, values) => (await at(statement, values)).all(statement, values),
    first: async (statement, values) => (await at(statement, values)).first(statement, values),
    run: async (statement, values) => (await at(statement, values)).run(statement, values),
    runMany: async (statement, shared, rows) =>
      (await at(statement, shared)).runMany(statement, shared, rows),
  };
}

/** Reads of a distributed store: those of a guild's rows on the guild's worker, all others on the coordinator. */
export function routeReads(workers: Nodes, coordinator: NodeParts): Reads {
  const choose = chooser(workers, coordinator);
  const routed = (kind: 'read' | 'readLong'): Runner => ({
    ...coordinator.reads[kind],
    ...eachWith((statement, values) => choose(statement, values).reads[kind]),
  });

  /** The first statement chooses the node. All later ones run there. */
  const inSnapshot: Snapshot = async (work) => {
    const { promise: isDone, resolve: finish, reject: undo } = Promise.withResolvers<void>();
    isDone.catch(() => {});
    let moment: Promise<Runner> | undefined;
    let ending: Promise<void> | undefined;
    let prefersIndexes = false;

    function begin({ reads }: NodeParts): Promise<Runner> {
      const { promise, resolve, reject } = Promise.withResolvers<Runner>();
      ending = reads.inSnapshot(async (runner) => {
        if (prefersIndexes) {
          await runner.preferIndexes();
        }
        resolve(runner);
        await isDone;
      });
      ending.catch(reject);
      return promise;
    }
    try {
      const result = await work({
        ...coordinator.reads.read,
        ...eachWith((statement, values) => {
          moment ??= begin(choose(statement, values));
          return moment;
        }),
        async preferIndexes() {
          prefersIndexes = true;
          await (await moment)?.preferIndexes();
        },
      });
      finish();
      await ending;
      return result;
    } catch (error) {
      undo(error);
      await ending?.catch(() => {});
      throw toDomainError(error);
    }
  };

  return {
    read: routed('read'),
    readLong: routed('readLong'),
    inSnapshot,
    openReader: async (rows) => choose(rows.statement, rows.values).reads.openReader(rows),
  };
}

export function routeMarks(workers: Nodes): Marks {
  return {
    ofLog: async (guildNo) => workers.of(guildNo).marks.ofLog(guildNo),
    ofAccount: async (guildNo, playerId) => workers.of(guildNo).marks.ofAccount(guildNo, playerId),
    ofLedger: async (guildNo) => workers.of(guildNo).marks.ofLedger(guildNo),
  };
}

/** Writes of a distributed store. */
export function routeWrites(workers: Nodes, coordinator: NodeParts): WritePools {
  const choose = chooser(workers, coordinator);
  return {
    common: coordinator.statements,
    ofCall: ({ statement, values }: Call<unknown>) => choose(statement, values).statements,
    ofLane(lane) {
      const guild = guildOfLane(lane);
      if (guild === undefined) {
        return coordinator.statements;
      }
      const { statements, transactions } = workers.of(guild.guildNo);
      return guild.isOfGuildOnly ? statements : transactions;
    },
    check(statement) {
      const place = placeOf(statement);
      if (place === 'everywhere' || (typeof place === 'object' && 'guildsAt' in place)) {
        workers.assertAllUp();
      }
    },
  };
}
