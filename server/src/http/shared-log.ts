import type { FastifyBaseLogger } from 'fastify';

/**
 * The logger as Fastify gets it. Fastify makes a child logger for every request, and with redaction that costs more than
 * authenticating it does. So all requests share one, and the few lines that are ever written name their request
 * themselves, as `reqId`.
 */
export function shareLog(logger: FastifyBaseLogger): FastifyBaseLogger {
  const shared: FastifyBaseLogger = Object.create(logger);
  shared.child = () => shared;
  return shared;
}
