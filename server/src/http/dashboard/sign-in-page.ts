import type { BaseLogger } from 'pino';
import { returnPath } from '../../domain/access/return-path.ts';
import { SignInFailure } from '../../domain/access/sign-ins.ts';
import { DomainError } from '../../domain/errors.ts';
import { type Answer, redirectTo } from '../answer.ts';
import { parseQueryString } from '../query-string.ts';
import type { HttpRequest } from '../request.ts';

const FIRST_PAGE = returnPath(undefined);

/** Redirects a failed sign-in to the page that shows the reason. The page keeps `returnTo` for the next attempt. */
export function createSignInFailures(log: BaseLogger): (thrown: unknown, request: HttpRequest) => Answer {
  return (thrown, request) => {
    const error = thrown instanceof SignInFailure ? thrown.cause : thrown;
    const reason = reasonOf(error);
    logFailure(log, { reqId: request.id, error, reason });
    const query = new URLSearchParams({ error: reason });
    const returnTo = thrown instanceof SignInFailure ? thrown.returnTo : returnToOf(request);
    if (returnTo !== FIRST_PAGE) {
      query.set('returnTo', returnTo);
    }
    return redirectTo(`/dashboard/sign-in?${query}`);
  };
}

/** Always a page of the dashboard, whatever the parameter says. */
function returnToOf(request: HttpRequest): string {
  return returnPath(parseQueryString(request.queryText).returnTo);
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

/** Failures of the platform or of the service are logged, those of a person are not. Only our own texts are logged. */
function logFailure(
  log: BaseLogger,
  { reqId, error, reason }: { reqId: string; error: unknown; reason: Reason },
): void {
  if (!(error instanceof DomainError)) {
    log.error({ reqId, err: error }, 'sign-in failed');
  } else if (reason !== 'denied' && reason !== 'expired') {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    log.warn({ reqId, code: error.code, cause }, 'sign-in failed');
  }
}
