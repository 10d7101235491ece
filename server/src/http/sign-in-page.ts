import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../domain/errors.ts';
import { returnPath } from '../domain/return-path.ts';
import { SignInFailure } from '../domain/sign-ins.ts';

const FIRST_PAGE = returnPath(undefined);

/** Leads somebody whose sign-in failed to the page that says why, and from where the next try leads to the same place. */
export function sendToSignInPage(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = thrown instanceof SignInFailure ? thrown.cause : thrown;
  const reason = reasonOf(error);
  logFailure(request, error, reason);
  const query = new URLSearchParams({ error: reason });
  const returnTo = thrown instanceof SignInFailure ? thrown.returnTo : returnToOf(request);
  if (returnTo !== FIRST_PAGE) {
    query.set('returnTo', returnTo);
  }
  // Said outright, because whoever refused the request may have set another status before.
  reply.redirect(`/dashboard/sign-in?${query}`, 302);
}

/** Whatever the address says, only a page of the dashboard comes of it. */
function returnToOf({ query }: FastifyRequest): string {
  return returnPath((query as { returnTo?: unknown } | undefined)?.returnTo);
}

type Reason = 'denied' | 'expired' | 'failed' | 'unavailable' | 'busy';

function reasonOf(error: unknown): Reason {
  switch (error instanceof DomainError ? error.code : undefined) {
    case 'sign_in_denied':
      return 'denied';
    case 'sign_in_expired':
      return 'expired';
    case 'platform_unavailable':
      return 'unavailable';
    case 'store_unavailable':
    case 'overloaded':
      return 'busy';
    default:
      return 'failed';
  }
}

/** What a person did is no news; what the platform or we did is. Only words of ours are logged. */
function logFailure(request: FastifyRequest, error: unknown, reason: Reason): void {
  if (!(error instanceof DomainError)) {
    request.log.error({ reqId: request.id, err: error }, 'sign-in failed');
  } else if (reason !== 'denied' && reason !== 'expired') {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    request.log.warn({ reqId: request.id, code: error.code, cause }, 'sign-in failed');
  }
}
