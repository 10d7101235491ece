import type { BaseLogger } from 'pino';

export interface RequestLine {
  reqId: string;
  /** The route and not the address, which may contain data that must not be logged. */
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
