import { DomainError } from '../../domain/errors.ts';
import type { HttpRequest } from '../request.ts';

export function idempotencyKeyOf({ raw }: HttpRequest): string | undefined {
  const value = raw.headers['idempotency-key'];
  if (typeof value !== 'string') {
    return undefined;
  }
  // Node joins repeated headers with a comma; two keys for one post can only be a mistake.
  if (value.includes(',') && (raw.headersDistinct['idempotency-key']?.length ?? 0) > 1) {
    throw new DomainError('invalid_input', { detail: 'idempotency-key must be given once' });
  }
  return value;
}
