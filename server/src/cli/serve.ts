import type { Command } from 'commander';
import { type DestinationStream, type Logger, pino } from 'pino';
import { composeService, type Service, systemClock, systemIds } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';

const STOP_DEADLINE_MS = 10_000;

/** Nothing of this kind is logged on purpose; should it slip into an object some day, it is cut out here. */
const REDACTED = [
  'x-api-key',
  'authorization',
  'cookie',
  'set-cookie',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'code_verifier',
  'x-csrf-token',
];

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the service, configured by the environment')
    .action(async () => {
      const config = readConfig(process.env);
      const logger = createLogger(config.logLevel);
      const service = await startService(config, logger);
      const address = await listen(service, config);
      logger.info({ address }, 'listening');
      await untilStopped(service, logger);
    });
}

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const paths = REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);
  const options = { level, redact: { paths, censor: '[redacted]' } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

export function startService(config: Config, logger: Logger): Promise<Service> {
  return composeService(config, {
    clock: systemClock,
    ids: systemIds,
    logger,
    onFatal(error) {
      // Serving from files in doubt is worse than not serving: a supervisor starts us again.
      logger.fatal({ err: error }, 'the store failed, stopping at once');
      process.exit(1);
    },
  });
}

/** Listens and returns the address to tell people. A port in use is reported in words. */
export async function listen(service: Service, config: Config): Promise<string> {
  try {
    const address = await service.app.listen({ host: config.host, port: config.port });
    return config.publicUrl ?? address;
  } catch (error) {
    await service.close();
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') {
      throw new OperatorError(`port ${config.port} is in use: set PORT to another one, as in PORT=3001`);
    }
    throw error;
  }
}

/**
 * Waits for SIGTERM or SIGINT, then stops politely: not ready any more, requests under way are finished, writes are
 * committed. A second signal, or ten seconds, end it the hard way.
 */
export async function untilStopped(service: Service, logger: Logger): Promise<void> {
  const signal = await new Promise<string>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  logger.info({ signal }, 'stopping');
  service.stopAccepting();
  const giveUp = () => process.exit(1);
  process.once('SIGTERM', giveUp);
  process.once('SIGINT', giveUp);
  const deadline = setTimeout(giveUp, STOP_DEADLINE_MS).unref();
  await service.close();
  clearTimeout(deadline);
  process.off('SIGTERM', giveUp);
  process.off('SIGINT', giveUp);
  logger.info('stopped');
}
