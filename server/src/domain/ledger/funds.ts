import { DomainError } from '../errors.ts';

/** The newer routes call it by another name than the post of the specification, whose answer stays as it is. */
export function asInsufficientFunds(error: DomainError): DomainError {
  return error.code === 'overdraft'
    ? new DomainError('insufficient_funds', { ...(error.facts && { facts: error.facts }), cause: error })
    : error;
}

/** Runs the work and gives its refusals the names of the newer routes. */
export async function namingFunds<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DomainError ? asInsufficientFunds(error) : error;
  }
}
