import { DomainError } from '../domain/errors.ts';

/** Translates a driver's error for callers above the port. */
export function translateError(error: unknown, faultKind: (error: unknown) => string): DomainError {
  if (error instanceof DomainError) {
    return error;
  }
  return faultKind(error) === 'defect'
    ? new DomainError('internal', { cause: error })
    : new DomainError('store_unavailable', { cause: error, retryAfterSeconds: 1 });
}
