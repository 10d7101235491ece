import { DomainError, OperatorError } from '../domain/errors.ts';
import { describeError } from '../http/errors.ts';

/** What went wrong, in words for the command line. Only a defect of ours comes with its stack. */
export function explain(error: unknown): string {
  if (error instanceof DomainError) {
    return error.detail ?? describeError(error).message;
  }
  if (error instanceof OperatorError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
