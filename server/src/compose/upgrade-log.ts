import type { BaseLogger } from 'pino';
import type { UpgradeEvent } from '../store/operations/migrate.ts';

const PROGRESS_EVERY_MS = 5_000;

/**
 * Logs an upgrade of the store: the versions, the copy that is kept, each step and its duration. A new store is one
 * line.
 */
export function createUpgradeLog(logger: BaseLogger): (event: UpgradeEvent) => void {
  let isNew = false;
  let progressAtMs = performance.now();
  return (event) => {
    const { kind, ...facts } = event;
    switch (kind) {
      case 'started':
        isNew = event.from === 0;
        if (!isNew) {
          logger.info(facts, 'upgrading the store');
        }
        break;
      case 'copying':
        if (performance.now() - progressAtMs >= PROGRESS_EVERY_MS) {
          progressAtMs = performance.now();
          logger.info(facts, 'copying the store before it is upgraded');
        }
        break;
      case 'copied':
        logger.info(facts, 'a copy of the store as it was is kept; delete it when you no longer need it');
        break;
      case 'applied':
        if (!isNew) {
          logger.info(facts, 'applied a step of the upgrade');
        }
        break;
      case 'finished':
        logger.info(facts, isNew ? 'made a new store' : 'the store is upgraded');
        break;
      case 'backfilling':
        if (performance.now() - progressAtMs >= PROGRESS_EVERY_MS) {
          progressAtMs = performance.now();
          logger.info(facts, 'a step of the upgrade runs in the background');
        }
        break;
      case 'repeating':
        logger.warn(facts, 'a statement of the upgrade waits for a lock and is repeated');
        break;
      case 'interrupted':
        logger.error(facts, 'the steps of the upgrade in the background failed and are tried again');
        break;
      case 'completed':
        logger.info(facts, 'a step of the upgrade in the background is complete');
    }
  };
}
