import { setTimeout as pause } from 'node:timers/promises';
import { type DestinationStream, type Logger, pino } from 'pino';
import { composeService, type Service, type ServiceEnvironment, systemClock, systemIds } from '../compose.ts';
import type { Config } from '../config.ts';
import { OperatorError } from '../domain/errors.ts';
import { untilStopSignal } from './stop-signals.ts';

const STOP_DEADLINE_MS = 10_000;
/** Leaves the store time to commit the requests of clients that are cut off. */
const CUT_OFF_MS = 8_000;

/** None of these is logged intentionally. If one becomes part of a logged object, it is removed here. */
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

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const paths = REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);
  const options = { level, redact: { paths, censor: '[redacted]' } };
  return destination === undefined ? pino(options) : pino(options, destination);
}

export function startService(
  config: Config,
  logger: Logger,
  environment: Pick<ServiceEnvironment, 'worker' | 'channelUrl' | 'ownOrigin' | 'keepCopy'> = {},
): Promise<Service> {
  return composeService(config, {
    ...environment,
    clock: systemClock,
    ids: systemIds,
    logger,
    onFatal(error) {
      // Serving from files that may be damaged is worse than not serving: a supervisor restarts the process.
      logger.fatal({ err: error }, 'the store failed, stopping at once');
      process.exit(1);
    },
  });
}

/** Listens and returns the address to print. Throws a readable error when the address cannot be used. */
export async function listen(service: Service, config: Config): Promise<string> {
  const { host, port, metricsHost, metricsPort, publicUrl } = config;
  // Before the service itself, which must not answer requests when the start fails.
  if (metricsPort !== undefined) {
    await listenOn(service, service.metricsApp, {
      host: metricsHost,
      port: metricsPort,
      settings: METRICS_SETTINGS,
    });
  }
  const address = await listenOn(service, service.app, { host, port, settings: MAIN_SETTINGS });
  return publicUrl ?? address;
}

/** The settings of an address, and a port to suggest when the configured one is in use. */
interface AddressSettings {
  host: string;
  port: string;
  otherPort: string;
}

const MAIN_SETTINGS: AddressSettings = { host: 'HOST', port: 'PORT', otherPort: '3001' };
const METRICS_SETTINGS: AddressSettings = { host: 'METRICS_HOST', port: 'METRICS_PORT', otherPort: '9465' };

interface ListenOptions {
  host: string;
  port: number;
  settings: AddressSettings;
}

async function listenOn(service: Service, app: Service['app'], options: ListenOptions): Promise<string> {
  try {
    return await app.listen(options);
  } catch (error) {
    await service.close();
    throw explainListening(error, options);
  }
}

function explainListening(error: unknown, { host, port, settings }: ListenOptions): unknown {
  const { code } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new OperatorError(
        `port ${port} is in use: set ${settings.port} to another one, as in ${settings.port}=${settings.otherPort}`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new OperatorError(
        `${settings.host}=${host} is no address of this machine (${code})\n` +
          '  Use 127.0.0.1 to be reached from this machine alone, 0.0.0.0 or :: to be reached from others.',
      );
    case 'EACCES':
      return new OperatorError(
        `port ${port} is not open to the user that runs this\n` +
          `  Use a ${settings.port} from 1024 up, with a proxy in front of it.`,
      );
    default:
      return error;
  }
}

/** Waits for SIGTERM or SIGINT, then stops gracefully. A second signal ends the process at once. */
export async function untilStopped(service: Service, config: Config, logger: Logger): Promise<void> {
  const signal = await untilStopSignal(() => process.exit(1));
  await stopPolitely(service, config, logger, signal);
}

/**
 * Reports not ready and keeps answering while load balancers notice. Then it accepts nothing new, finishes pending
 * requests and commits writes. Clients that do not finish are cut off. The process ends within ten seconds, with
 * status 1 only when the store could not be closed.
 */
export async function stopPolitely(
  service: Service,
  { drainDelaySeconds }: Pick<Config, 'drainDelaySeconds'>,
  logger: Logger,
  signal: string,
): Promise<void> {
  logger.info({ signal }, 'stopping');
  let status = 1;
  setTimeout(() => process.exit(status), STOP_DEADLINE_MS).unref();
  setTimeout(() => {
    service.app.server.closeAllConnections();
    service.metricsApp.server.closeAllConnections();
  }, CUT_OFF_MS).unref();
  service.stopAccepting();
  await pause(drainDelaySeconds * 1_000);
  await service.close();
  status = 0;
  logger.info('stopped');
}
