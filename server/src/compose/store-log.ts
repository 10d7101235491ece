import type { BaseLogger } from 'pino';
import type { WorkerEvent } from '../store/postgres/workers.ts';

export function logWritability(logger: BaseLogger, reason: string | undefined): void {
  if (reason === undefined) {
    logger.info('the store can be written again');
  } else {
    logger.error({ reason }, 'the store cannot be written: writes are refused until it can be');
  }
}

/** The texts of changes that a worker of a distributed store goes through. */
const WORKER_TEXTS: Record<WorkerEvent['state'], string> = {
  direct: 'connected to a worker of the store',
  'through the coordinator': 'a worker of the store is used through the coordinator, which is slower',
  down: 'a worker of the store does not answer: requests of its guilds are refused until it does',
  up: 'a worker of the store answers again',
};

export function logWorker(logger: BaseLogger, { state, ...facts }: WorkerEvent): void {
  const level = state === 'down' ? 'error' : state === 'through the coordinator' ? 'warn' : 'info';
  logger[level](facts, WORKER_TEXTS[state]);
}
