import { DomainError } from '../../domain/errors.ts';

/** Runs work on a list of the body. A refusal of one item names it by its path, counted from 0: `transactionIds[2]`. */
export async function namingItem<Result>(list: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DomainError ? withItem(error, list) : error;
  }
}

function withItem(error: DomainError, list: string): DomainError {
  const { code, detail, facts, retryAfterSeconds, cause } = error;
  if (facts?.position === undefined) {
    return error;
  }
  return new DomainError(code, {
    item: `${list}[${facts.position}]`,
    facts,
    cause,
    ...(detail !== undefined && { detail }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
