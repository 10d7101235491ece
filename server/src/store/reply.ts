import { DomainError, type ErrorCode, type ErrorFacts } from '../domain/errors.ts';
import type { WriteOutcome } from './batch-queue.ts';

/** The outcome of one call, as plain data that can cross threads. */
export type Reply = { value: unknown } | Refusal;

export interface Refusal {
  code: ErrorCode;
  detail?: string;
  retryAfterSeconds?: number;
  facts?: ErrorFacts;
  cause?: string;
}

export function toReply(error: DomainError): Refusal {
  return {
    code: error.code,
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    ...(error.facts === undefined ? {} : { facts: error.facts }),
    ...(error.cause === undefined ? {} : { cause: String(error.cause) }),
  };
}

export function toOutcome(reply: Reply): WriteOutcome<unknown> {
  if ('value' in reply) {
    return reply;
  }
  const { code, cause, ...options } = reply;
  return {
    error: new DomainError(code, cause === undefined ? options : { ...options, cause: new Error(cause) }),
  };
}
