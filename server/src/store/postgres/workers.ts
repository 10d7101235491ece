import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import type { WorkerFigures } from '../../domain/store-figures.ts';
import type { DivideByServer } from '../jobs.ts';
import { atServer, type Database, openPool } from './connection.ts';
import { isServerDown, unreachableWorker } from './faults.ts';
import { findGuildNode, hashGuildNo, readWorkerNodes, type WorkerNode } from './guild-shards.ts';
import { findAccess } from './worker-address.ts';

/** How often the placement of guilds and the state of each worker are read. */
const LOOK_MS = 1_000;
/** How often an instance tries again to reach a worker directly whose guilds it reads through the coordinator. */
const DIRECT_AGAIN_MS = 60_000;
/**
 * How often such a worker is asked while it is down. Each question can keep a session of the coordinator busy until the
 * worker answers again.
 */
const ASK_THROUGH_MS = 10_000;
/** Longer than any statement may take. */
const RETIRE_MS = 40_000;

/** A change for the operator's log. */
export interface WorkerEvent {
  worker: string;
  state: 'direct' | 'through the coordinator' | 'down' | 'up';
  /** Why the worker is down, or not used directly. */
  reason?: string;
}

/** Connections of an instance to a worker, and the work that waits for them. */
export interface WorkerParts {
  /** Statements that wait for a connection. */
  waiting(): number;
  close(): Promise<void>;
}

export interface Workers<Parts> {
  /** The parts for a guild's rows. Throws `store_unavailable` while their worker is down. */
  of(guildNo: number): Parts;
  /** Throws `store_unavailable`, naming a worker that is down. For statements that need every node. */
  assertAllUp(): void;
  /** Divides guilds by their worker. */
  divide: DivideByServer;
  /** The parts of every worker, also of those that were replaced a moment ago. */
  all(): Parts[];
  figures(): WorkerFigures[];
  close(): Promise<void>;
}

export interface WorkersOptions<Parts> {
  database: Database;
  /** Opens the parts of a worker. `share` is its share of the connections that all workers have to the coordinator. */
  open: (database: Database, access: { isDirect: boolean; share: number }) => Parts;
  /** Used for guilds that no worker has. */
  coordinator: Parts;
  onEvent: (event: WorkerEvent) => void;
}

interface Worker<Parts> extends WorkerNode {
  name: string;
  isDirect: boolean;
  openedAtMs: number;
  askedAtMs: number;
  isAsking: boolean;
  downBecause: string | undefined;
  parts: Parts;
  probe: pg.Pool;
}

/**
 * Knows the workers of a distributed store and which guilds each of them has. An instance connects to each worker
 * directly, so that one that hangs holds up only its own guilds. A worker that the instance cannot reach is used through the
 * coordinator, with few connections of its own there. Resolves when the workers are known.
 */
export async function openWorkers<Parts extends WorkerParts>(
  options: WorkersOptions<Parts>,
): Promise<Workers<Parts>> {
  const { database, open, coordinator, onEvent } = options;
  const pool = openPool({ ...database, connections: 1 });
  const workers = new Map<number, Worker<Parts>>();
  const retired = new Map<Worker<Parts>, NodeJS.Timeout>();

  async function openWorker(node: WorkerNode, nodes: number): Promise<Worker<Parts>> {
    const name = `${node.host}:${node.port}`;
    const ask = (query: pg.QueryConfig) => pool.query(query);
    const { isDirect, reason, downBecause } = await findAccess({ database, node, ask });
    const place = isDirect
      ? { ...atServer(database, node), isWorker: true }
      : { ...database, idleClients: new Set<pg.Client>() };
    const health = {
      assertUp: () => assertUp(worker),
      noteUnanswered: () => setDown(worker, 'a statement got no answer in time'),
    };
    const share = Math.max(1, Math.floor(database.connections / (nodes + 1)));
    const own = { ...place, health };
    const worker: Worker<Parts> = {
      ...node,
      name,
      isDirect,
      openedAtMs: performance.now(),
      askedAtMs: 0,
      isAsking: false,
      downBecause: undefined,
      parts: open(own, { isDirect, share }),
      probe: openPool({ ...own, connections: 1 }),
    };
    const state = isDirect ? 'direct' : 'through the coordinator';
    onEvent({ worker: name, state, ...(reason === undefined ? {} : { reason }) });
    if (downBecause !== undefined) {
      setDown(worker, downBecause);
    }
    return worker;
  }

  function setDown(worker: Worker<Parts>, reason: string): void {
    if (worker.downBecause === undefined && !retired.has(worker)) {
      onEvent({ worker: worker.name, state: 'down', reason });
    }
    worker.downBecause ??= reason;
  }

  function setUp(worker: Worker<Parts>): void {
    if (worker.downBecause !== undefined) {
      worker.downBecause = undefined;
      // The next look tries to reach it directly.
      worker.openedAtMs = Number.NEGATIVE_INFINITY;
      onEvent({ worker: worker.name, state: 'up' });
    }
  }

  async function ask(worker: Worker<Parts>): Promise<void> {
    const isDue =
      worker.isDirect ||
      worker.downBecause === undefined ||
      performance.now() - worker.askedAtMs > ASK_THROUGH_MS;
    if (worker.isAsking || !isDue) {
      return;
    }
    worker.isAsking = true;
    worker.askedAtMs = performance.now();
    try {
      await worker.probe.query(probeOf(worker));
      setUp(worker);
    } catch (error) {
      if (isServerDown(error)) {
        setDown(worker, error instanceof Error && error.message !== '' ? error.message : 'no answer');
      }
    } finally {
      worker.isAsking = false;
    }
  }

  function retire(worker: Worker<Parts>): void {
    const end = () => {
      retired.delete(worker);
      void closeWorker(worker);
    };
    retired.set(worker, setTimeout(end, RETIRE_MS).unref());
  }

  async function readPlacement(): Promise<void> {
    const nodes = await readWorkerNodes((query) => pool.query(query));
    for (const node of nodes) {
      const known = workers.get(node.groupId);
      if (known !== undefined && isSame(known, node)) {
        known.ranges = node.ranges;
      } else {
        workers.set(node.groupId, await openWorker(node, nodes.length));
        if (known !== undefined) {
          retire(known);
        }
      }
    }
    for (const [groupId, worker] of workers) {
      if (!nodes.some((node) => node.groupId === groupId)) {
        workers.delete(groupId);
        retire(worker);
      }
    }
  }

  let looking: Promise<void> | undefined;
  function look(): void {
    for (const worker of workers.values()) {
      void ask(worker);
    }
    // While the coordinator does not answer, the last known placement is used.
    looking ??= readPlacement()
      .catch(() => {})
      .finally(() => {
        looking = undefined;
      });
  }

  await readPlacement().catch(async (error) => {
    await pool.end();
    throw error;
  });
  const timer = setInterval(look, LOOK_MS).unref();

  return {
    of(guildNo) {
      const worker = findGuildNode(workers.values(), guildNo);
      if (worker === undefined) {
        return coordinator;
      }
      assertUp(worker);
      return worker.parts;
    },
    assertAllUp() {
      for (const { name, downBecause } of workers.values()) {
        if (downBecause !== undefined) {
          throw unavailable(unreachableWorker(name, new Error(downBecause)));
        }
      }
    },
    divide(guildNos) {
      const groups = Map.groupBy(guildNos, (guildNo) => findGuildNode(workers.values(), guildNo));
      return Array.from(groups, ([worker, found]) => ({
        guildNos: found,
        isUp: worker?.downBecause === undefined,
      }));
    },
    figures: () =>
      Array.from(workers.values(), ({ name, isDirect, downBecause, parts }) => ({
        name,
        isDirect,
        isUp: downBecause === undefined,
        waiting: parts.waiting(),
      })),
    all: () => Array.from([...workers.values(), ...retired.keys()], ({ parts }) => parts),
    async close() {
      clearInterval(timer);
      await looking;
      for (const end of retired.values()) {
        clearTimeout(end);
      }
      await Promise.all([...workers.values(), ...retired.keys()].map(closeWorker));
      await pool.end();
    },
  };
}

function unavailable(cause: Error): DomainError {
  return new DomainError('store_unavailable', { cause, retryAfterSeconds: 1 });
}

function assertUp({ name, downBecause }: { name: string; downBecause: string | undefined }): void {
  if (downBecause !== undefined) {
    throw unavailable(new Error(`the worker ${name} does not answer: ${downBecause}`));
  }
}

async function closeWorker({ parts, probe }: Worker<WorkerParts>): Promise<void> {
  await Promise.all([parts.close(), probe.end()]);
}

/** True when what was opened for a worker is still right for it. A worker that is used through the coordinator is tried again. */
function isSame(
  { host, port, isSynced, isDirect, openedAtMs, downBecause }: Worker<unknown>,
  node: WorkerNode,
) {
  const isOver = !isDirect && downBecause === undefined && performance.now() - openedAtMs > DIRECT_AGAIN_MS;
  return host === node.host && port === node.port && isSynced === node.isSynced && !isOver;
}

/** A statement that only this worker answers. */
function probeOf({ isDirect, ranges }: WorkerNode & { isDirect: boolean }): pg.QueryConfig {
  const [range] = ranges;
  if (isDirect || range === undefined) {
    return { text: 'SELECT 1' };
  }
  let guildNo = 0;
  while (hashGuildNo(guildNo) < range[0] || hashGuildNo(guildNo) > range[1]) {
    guildNo += 1;
  }
  return { text: 'SELECT FROM guild_ledger WHERE guild_no = $1', values: [guildNo] };
}
