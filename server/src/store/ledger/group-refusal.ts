import { DomainError } from '../../domain/errors.ts';

/** The error of a group, with the position of the refused transaction. */
export function atPosition(error: DomainError, position: number): DomainError {
  return new DomainError(error.code, {
    ...(error.detail !== undefined && { detail: error.detail }),
    facts: { ...error.facts, position },
  });
}
