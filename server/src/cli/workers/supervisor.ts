import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { OperatorError } from '../../domain/errors.ts';
import { untilStopSignal } from '../stop-signals.ts';
import { type FromWorker, type ToWorker, WORKER_NUMBER } from './messages.ts';
import { createMetricsCollector } from './metrics-collector.ts';

/** The pause before a dead worker is replaced. It doubles with each death in a row, up to the maximum. */
const PAUSE_MS_MIN = 100;
const PAUSE_MS_MAX = 5_000;
/** After a worker has served for this long, its death starts with the shortest pause again. */
const SETTLED_MS = 30_000;
/** Workers end by themselves within ten seconds. */
const STOP_DEADLINE_MS = 11_000;

interface Slot {
  number: number;
  worker: Worker | undefined;
  deathsInARow: number;
  startedAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Serves from several processes on one port until SIGTERM or SIGINT. This process holds the port and distributes
 * connections in turn, so that none is lost when a worker dies. If one worker cannot start, the whole start fails
 * with the reason. A worker that dies later is replaced.
 */
export async function superviseWorkers(count: number, logger: Logger): Promise<void> {
  const signal = untilStopSignal(killAll);
  const crew = createCrew(count, logger);
  try {
    const address = await Promise.race([crew.start(), signal.then(() => undefined)]);
    if (address !== undefined) {
      logger.info({ address, workers: count }, 'listening');
    }
  } catch (error) {
    await crew.stop('SIGTERM').catch(() => {});
    throw error;
  }
  const received = await signal;
  logger.info({ signal: received }, 'stopping');
  await crew.stop(received);
  logger.info('stopped');
}

interface Crew {
  /** Resolves with the address when all workers listen, and rejects when one of them cannot. */
  start(): Promise<string | undefined>;
  /** Resolves when all workers have stopped gracefully. */
  stop(signal: string): Promise<void>;
}

function createCrew(count: number, logger: Logger): Crew {
  const slots = Array.from({ length: count }, (_, index): Slot => {
    return { number: index + 1, worker: undefined, deathsInARow: 0, startedAtMs: 0, timer: undefined };
  });
  const metrics = createMetricsCollector(() => slots.flatMap(({ worker }) => worker ?? []));
  let isComplete = false;
  let isStopping = false;

  function start(slot: Slot): Promise<string> {
    const worker = cluster.fork({ [WORKER_NUMBER]: String(slot.number) });
    slot.worker = worker;
    slot.startedAtMs = performance.now();
    worker.on('message', (message: FromWorker) => metrics.hear(worker, message));
    worker.on('exit', (status, signal) => {
      slot.worker = undefined;
      if (isComplete && !isStopping) {
        replaceLater(slot, { status, signal });
      }
    });
    return untilListening(worker);
  }

  function replaceLater(slot: Slot, end: { status: number | null; signal: string | null }): void {
    const hasSettled = performance.now() - slot.startedAtMs > SETTLED_MS;
    slot.deathsInARow = hasSettled ? 1 : slot.deathsInARow + 1;
    const pauseMs = Math.min(PAUSE_MS_MIN * 2 ** (slot.deathsInARow - 1), PAUSE_MS_MAX);
    logger.error({ worker: slot.number, ...end, pauseMs }, 'a worker ended, another one takes its place');
    slot.timer = setTimeout(() => {
      start(slot).then(
        () => logger.info({ worker: slot.number }, 'a worker took its place'),
        // The end of a worker is logged elsewhere; only the reason is known here.
        (error) => logger.error({ worker: slot.number, reason: error.message }, 'a worker could not start'),
      );
    }, pauseMs);
  }

  return {
    async start() {
      const [address] = await Promise.all(slots.map(start));
      isComplete = true;
      return address;
    },
    async stop(signal) {
      isStopping = true;
      const ends = slots.map((slot) => {
        clearTimeout(slot.timer);
        return slot.worker === undefined ? 0 : endOf(slot.worker, signal);
      });
      const statuses = await Promise.all(ends);
      if (statuses.some((status) => status !== 0)) {
        throw new OperatorError('not every worker stopped in time');
      }
    },
  };
}

/** Resolves with the address when the worker listens. Rejects with the reason when it ends before. */
function untilListening(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'listening') {
        resolve(message.address);
      } else if (message.kind === 'failed') {
        reject(new OperatorError(message.reason));
      }
    });
    worker.once('exit', (status, signal) => {
      reject(new OperatorError(`a worker ended before it listened (${signal ?? `status ${status}`})`));
    });
  });
}

/** The exit status; null when the worker had to be killed. */
function endOf(worker: Worker, signal: string): Promise<number | null> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => worker.process.kill('SIGKILL'), STOP_DEADLINE_MS);
    worker.once('exit', (status) => {
      clearTimeout(deadline);
      resolve(status);
    });
    if (worker.isConnected()) {
      worker.send({ kind: 'stop', signal } satisfies ToWorker);
    }
  });
}

function killAll(): never {
  for (const worker of Object.values(cluster.workers ?? {})) {
    worker?.process.kill('SIGKILL');
  }
  process.exit(1);
}
