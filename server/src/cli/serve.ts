import cluster from 'node:cluster';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import { isPostgres, isStoreInUse } from '../compose/stores.ts';
import { type Config, readServeConfig } from '../config.ts';
import { refuseSamples } from '../demo/sample-guilds.ts';
import { parseWorkers } from './arguments.ts';
import { readCommandConfig } from './env-file.ts';
import { showFirstSteps } from './first-steps.ts';
import { createLogger, listen, startService, untilStopped } from './serving.ts';
import { printStore } from './store-line.ts';
import { keepCopy, noCopyOption } from './upgrade.ts';

interface ServeOptions {
  workers: number;
  allowSampleData?: boolean;
  copy: boolean;
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service, configured by the environment')
    .option('--workers <count>', 'processes to serve from, or auto for one on each core', parseWorkers, 1)
    .option('--allow-sample-data', 'serve a store that has the sample data of the demo')
    .addOption(noCopyOption())
    .action(async ({ workers, allowSampleData, copy }: ServeOptions, command: Command) => {
      const config = readCommandConfig(command, readServeConfig);
      const logger = createLogger(config.logLevel);
      const mayHaveSamples = allowSampleData === true;
      // Imported on demand: each of the three modes is another process.
      if (cluster.isWorker) {
        const { serveAsWorker } = await import('./workers/worker.ts');
        await serveAsWorker(config, logger, { mayHaveSamples, command });
      } else if (workers > 1) {
        refuseUnfitWorkers(config, command);
        printStore(command, config.databaseUrl);
        const { superviseWorkers } = await import('./workers/supervisor.ts');
        await superviseWorkers(workers, logger);
      } else {
        printStore(command, config.databaseUrl);
        await serveAlone(config, logger, { mayHaveSamples, keepsCopy: copy, command });
      }
    });
}

async function serveAlone(
  config: Config,
  logger: Logger,
  { mayHaveSamples, keepsCopy, command }: { mayHaveSamples: boolean; keepsCopy: boolean; command: Command },
): Promise<void> {
  warnOfSharing(config, logger);
  const service = await startService(config, logger, { keepCopy: keepsCopy ? keepCopy : undefined });
  if (!mayHaveSamples) {
    await refuseSamples(service);
  }
  const hasGuild = await service.store.guilds.hasAny();
  const address = await listen(service, config);
  logger.info({ address }, 'listening');
  if (!hasGuild) {
    showFirstSteps({ config, logger, command, address });
  }
  await untilStopped(service, config, logger);
}

/**
 * Two services may share an SQLite file, but without Redis each counts rate limits on its own. The warning also
 * reveals a second service that was started by mistake.
 */
function warnOfSharing(config: Config, logger: Logger): void {
  if (isStoreInUse(config)) {
    const limits =
      config.redisUrl === undefined ? 'counted by each service: set REDIS_URL to share them' : 'shared';
    logger.warn(
      { rateLimits: limits },
      'another process has this store open: a second service, or a command',
    );
  }
}

function refuseUnfitWorkers(config: Config, command: Command): void {
  if (!isPostgres(config)) {
    command.error(
      'error: --workers needs PostgreSQL: the embedded store has one writer, for which more processes would only wait. ' +
        'Set DATABASE_URL=postgres://..., or leave --workers out.',
    );
  }
  if (config.redisUrl === undefined) {
    command.error(
      'error: --workers needs REDIS_URL: without it every worker limits on its own, and a key would get its limit from each.',
    );
  }
}
