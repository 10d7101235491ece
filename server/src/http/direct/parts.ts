import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { TSchema } from 'typebox';
import type { ApiKeys } from '../../domain/api-keys.ts';
import type { Commands } from '../../domain/commands.ts';
import type { Ledger } from '../../domain/ledger.ts';
import type { RateLimiter, Store } from '../../domain/ports.ts';
import type { Records } from '../../domain/records.ts';
import type { Verifications } from '../../domain/verifications.ts';
import type { Metrics } from '../metrics.ts';
import type { HttpPart, ReadInput } from '../validation.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

export interface DirectParts {
  keys: ApiKeys;
  records: Records;
  verifications: Verifications;
  commands: Commands;
  ledger: Ledger;
  limiter: RateLimiter;
  store: Pick<Store, 'revision'>;
  metrics: Metrics;
  logger: FastifyBaseLogger;
  nextRequestId: () => string;
  isStopping: () => boolean;
  isOverloaded: () => boolean;
  commandsRequireKey: boolean;
  botToken: string | undefined;
  /** Makes the reader of one part of a request, the very one that the long way uses. */
  createReader: <Schema extends TSchema>(schema: Schema, part: HttpPart) => ReadInput<Schema>;
}

/**
 * Answers a request with that key, or with none when the text is empty; at once where everything is in memory. False means that it had no effect, and the long way may begin
 * from the beginning.
 */
export type Answer = (
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
) => boolean | Promise<boolean>;
