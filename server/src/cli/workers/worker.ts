import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Service, ServiceEnvironment } from '../../compose.ts';
import type { Config } from '../../config.ts';
import { refuseSamples } from '../../demo/sample-guilds.ts';
import { explain } from '../explain.ts';
import { showFirstSteps } from '../first-steps.ts';
import { listen, startService, stopPolitely } from '../serving.ts';
import { type FromWorker, type ToWorker, WORKER_NUMBER } from './messages.ts';

/** Longer than collecting takes at most. */
const GATHER_MS = 2_000;
/** The worker that does the work which must be done once. */
const FIRST_WORKER = '1';

/**
 * One of several processes that serve together. It reports its state to the supervisor, and stops when the supervisor
 * says so.
 */
export async function serveAsWorker(
  config: Config,
  logger: Logger,
  { mayHaveSamples, command }: { mayHaveSamples: boolean; command: Command },
): Promise<void> {
  const number = process.env[WORKER_NUMBER] ?? '';
  const own = logger.child({ worker: number });
  let isServing = false;
  const signal = untilStopRequested();
  // No request was served yet, so there is nothing to finish.
  signal.then(() => isServing || process.exit(0));
  try {
    const gatherer = createGatherer();
    const service = await startService(config, own, {
      worker: { name: number, gatherMetrics: gatherer.gather },
    });
    if (!mayHaveSamples) {
      await refuseSamples(service);
    }
    answerMessages(service, gatherer);
    const hasGuild = await service.store.guilds.hasAny();
    const address = await listen(service, config);
    isServing = true;
    await sendToSupervisor({ kind: 'listening', address });
    if (number === FIRST_WORKER && !hasGuild) {
      showFirstSteps({ config, logger: own, command, address });
    }
    await stopPolitely(service, config, own, await signal);
  } catch (error) {
    await sendToSupervisor({ kind: 'failed', reason: explain(error) });
    process.exit(1);
  }
  // The channel to the supervisor would keep the process alive.
  process.exit(0);
}

/**
 * A signal to the whole group reaches this process and the supervisor, which forwards it. The worker stops once,
 * however often it gets the signal; the supervisor kills it if necessary.
 */
function untilStopRequested(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
    process.on('message', (message: ToWorker) => {
      if (message.kind === 'stop') {
        resolve(message.signal);
      }
    });
  });
}

function answerMessages(service: Service, gatherer: Gatherer): void {
  process.on('message', async (message: ToWorker) => {
    if (message.kind === 'report') {
      await sendToSupervisor({ kind: 'metrics', id: message.id, metrics: await service.metrics.values() });
    } else if (message.kind === 'gathered') {
      gatherer.take(message.id, message.text);
    }
  });
}

interface Gatherer {
  gather: NonNullable<ServiceEnvironment['worker']>['gatherMetrics'];
  take(id: number, text: string): void;
}

/** Requests the metrics of all workers from the supervisor. */
function createGatherer(): Gatherer {
  const waiting = new Map<number, (text: string) => void>();
  let asked = 0;
  return {
    gather() {
      asked += 1;
      const id = asked;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new Error('the supervisor does not answer'));
        }, GATHER_MS);
        waiting.set(id, (text) => {
          clearTimeout(timer);
          resolve(text);
        });
        sendToSupervisor({ kind: 'gather', id }).catch(reject);
      });
    },
    take(id, text) {
      waiting.get(id)?.(text);
      waiting.delete(id);
    },
  };
}

/** Resolves when the message was sent. */
function sendToSupervisor(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    process.send?.(message, undefined, {}, () => resolve());
  });
}
