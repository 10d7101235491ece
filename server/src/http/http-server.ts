import type { RequestListener, Server } from 'node:http';
import { http } from '../node-http.ts';
import { BODY_TIMEOUT_MS } from './body-deadline.ts';
import { answerExpectation } from './client-error.ts';
import { boundConnections, type ConnectionOptions } from './connections.ts';

const IMPORT_TIMEOUT_MS = 6 * 3_600_000;
const HEADERS_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_MS = 1_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const CONNECTIONS_MAX = 10_000;

/** Node's server with the time limits and bounds of the service. */
export function createHttpServer(
  handler: RequestListener,
  { hasLongRequests, ...connections }: { hasLongRequests: boolean } & ConnectionOptions,
): Server {
  const server = http.createServer(
    {
      // The pipeline refuses a request without a host, with its own error.
      requireHostHeader: false,
      // Node would otherwise keep the first of two hosts, content types or tokens, and a proxy before us possibly the last.
      joinDuplicateHeaders: true,
      // Node looks at time limits this often.
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // An import may take hours. If imports are enabled, body-deadline.ts limits all other bodies.
      requestTimeout: hasLongRequests ? IMPORT_TIMEOUT_MS : BODY_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    },
    handler,
  );
  server.maxConnections = CONNECTIONS_MAX;
  // Without this Node sends `100 Continue` before the key is checked; body.ts sends it afterwards.
  server.on('checkContinue', handler);
  server.on('checkExpectation', answerExpectation);
  boundConnections(server, connections);
  return server;
}
