import { DomainError } from '../errors.ts';

/** The newer routes use another code than the post of the specification, whose answer must not change. */
export function asInsufficientFunds(error: DomainError): DomainError {
  return error.code === 'overdraft'
    ? new DomainError('insufficient_funds', { ...(error.facts && { facts: error.facts }), cause: error })
    : error;
}

/** Awaits the work and translates its refusals to the codes of the newer routes. */
export async function namingFunds<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DomainError ? asInsufficientFunds(error) : error;
  }
}
