import type { BaseLogger } from 'pino';

export interface RequestLine {
  reqId: string;
  /** The route, never the address: an address may hold what does not belong in a log. */
  route: string;
  method: string;
  status: number;
  ms: number;
  key: string | undefined;
}

/** Writes a debug line for each request; undefined when the log level excludes these lines. */
export function createRequestLog(logger: BaseLogger): ((line: RequestLine) => void) | undefined {
  return ['debug', 'trace'].includes(logger.level) ? (line) => logger.debug(line, 'request') : undefined;
}
