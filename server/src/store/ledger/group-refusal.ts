import { DomainError } from '../../domain/errors.ts';

/** The refusal of one transaction of a group, with its position. */
export function atPosition(error: DomainError, position: number): DomainError {
  return new DomainError(error.code, {
    ...(error.detail !== undefined && { detail: error.detail }),
    facts: { ...error.facts, position },
  });
}
