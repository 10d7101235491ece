import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/errors.ts';

export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const value = request.headers['idempotency-key'];
  if (typeof value !== 'string') {
    return undefined;
  }
  // Node joins repeated headers with a comma; two keys for one post can only be a mistake.
  if (value.includes(',') && (request.raw.headersDistinct['idempotency-key']?.length ?? 0) > 1) {
    throw new DomainError('invalid_input', { detail: 'idempotency-key must be given once' });
  }
  return value;
}
