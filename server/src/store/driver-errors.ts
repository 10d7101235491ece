import { DomainError } from '../domain/errors.ts';

/** Translates a driver's error for callers above the port. `explain` may replace the cause that operators see when the store is unavailable. */
export function translateError(
  error: unknown,
  faultKind: (error: unknown) => string,
  explain: (error: unknown) => unknown = (cause) => cause,
): DomainError {
  if (error instanceof DomainError) {
    return error;
  }
  return faultKind(error) === 'defect'
    ? new DomainError('internal', { cause: error })
    : new DomainError('store_unavailable', { cause: explain(error), retryAfterSeconds: 1 });
}
