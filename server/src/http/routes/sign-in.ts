import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/errors.ts';
import type { RateBucket, RateLimiter } from '../../domain/ports.ts';
import type { SignIns } from '../../domain/sign-ins.ts';
import { addEndpoint } from '../endpoint.ts';
import { networkOf } from '../guard.ts';
import type { SessionCookies } from '../session-cookies.ts';
import { completeSignIn, startSignIn } from './dashboard-endpoints.ts';

const CALLBACK_PATH = '/dashboard/api/callback';
const LOOPBACK_HOSTS: readonly unknown[] = ['127.0.0.1', '[::1]', 'localhost'];

/** Each sign-in leaves a row behind for ten minutes, so that one address may only begin so many. */
const SIGN_INS: RateBucket = { name: 'sign-in', limit: 120, windowMs: 60_000 };

export interface SignInRouteParts {
  /** Undefined when no chat platform is configured. */
  signIns: SignIns | undefined;
  cookies: SessionCookies;
  limiter: RateLimiter;
  onRateLimited: (bucket: string) => void;
  origin: () => string;
}

/** The way in. People see these answers in their browser, so that every failure leads to a page that explains it. */
export function addSignInRoutes(app: FastifyInstance, parts: SignInRouteParts): void {
  const { cookies, origin } = parts;
  const redirectUri = () => `${origin()}${CALLBACK_PATH}`;

  addEndpoint(app, startSignIn, letThrough, async (request, reply) => {
    const ownAddress = otherLoopbackName(request, origin());
    if (ownAddress !== undefined) {
      return reply.redirect(ownAddress);
    }
    return orErrorPage(request, reply, async () => {
      const signIns = await admit(request, parts);
      const { address, browser } = await signIns.start({
        returnTo: request.query.returnTo,
        browser: cookies.readBrowser(request),
        redirectUri: redirectUri(),
      });
      cookies.writeBrowser(reply, browser);
      return address;
    });
  });

  addEndpoint(app, completeSignIn, letThrough, (request, reply) =>
    orErrorPage(request, reply, async () => {
      const { state, code, error } = request.query;
      const { token, returnTo } = await requirePlatform(parts.signIns).complete({
        state: textOf(state),
        code: textOf(code),
        error: error === undefined ? undefined : String(error),
        browser: cookies.readBrowser(request),
        formerToken: cookies.readSession(request),
        redirectUri: redirectUri(),
      });
      cookies.writeSession(reply, token);
      return returnTo;
    }),
  );
}

const letThrough = async () => {};

async function admit(request: FastifyRequest, parts: SignInRouteParts): Promise<SignIns> {
  const signIns = requirePlatform(parts.signIns);
  const { admitted } = await parts.limiter.admit(SIGN_INS, networkOf(request.ip));
  if (!admitted) {
    parts.onRateLimited(SIGN_INS.name);
    throw new DomainError('platform_unavailable');
  }
  return signIns;
}

function requirePlatform(signIns: SignIns | undefined): SignIns {
  if (signIns === undefined) {
    throw new DomainError('platform_unavailable', { cause: new Error('no chat platform is configured') });
  }
  return signIns;
}

/**
 * The same machine has several names, and cookies keep to one of them: someone who came by another name than the one
 * the platform will send them back to is taken there first.
 */
function otherLoopbackName(request: FastifyRequest, origin: string): string | undefined {
  const own = new URL(origin);
  const asked = URL.parse(`http://${request.host}`);
  const isOther = LOOPBACK_HOSTS.includes(asked?.hostname) && asked?.hostname !== own.hostname;
  return isOther && LOOPBACK_HOSTS.includes(own.hostname) && asked?.port === own.port
    ? `${origin}${request.url.startsWith('/') ? request.url : startSignIn.path}`
    : undefined;
}

/** Goes where the work says, or to the page that explains why not. */
async function orErrorPage(
  request: FastifyRequest,
  reply: { redirect: (address: string) => unknown },
  work: () => Promise<string>,
): Promise<unknown> {
  try {
    return reply.redirect(await work());
  } catch (error) {
    const reason = reasonOf(error);
    logFailure(request, error, reason);
    return reply.redirect(`/dashboard/sign-in?error=${reason}`);
  }
}

type Reason = 'denied' | 'expired' | 'failed' | 'unavailable';

function reasonOf(error: unknown): Reason {
  switch (error instanceof DomainError ? error.code : undefined) {
    case 'sign_in_denied':
      return 'denied';
    case 'sign_in_expired':
      return 'expired';
    case 'platform_unavailable':
    case 'store_unavailable':
    case 'overloaded':
      return 'unavailable';
    default:
      return 'failed';
  }
}

/** What a person did is no news; what the platform or we did is. Only words of ours are logged. */
function logFailure(request: FastifyRequest, error: unknown, reason: Reason): void {
  if (!(error instanceof DomainError)) {
    request.log.error({ err: error }, 'sign-in failed');
  } else if (reason === 'failed' || reason === 'unavailable') {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    request.log.warn({ code: error.code, cause }, 'sign-in failed');
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
