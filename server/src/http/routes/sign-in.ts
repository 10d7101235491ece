import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '../../domain/errors.ts';
import type { RateBucket, RateLimiter } from '../../domain/ports.ts';
import type { SignIns } from '../../domain/sign-ins.ts';
import { addEndpoint } from '../endpoint.ts';
import { networkOf } from '../guard.ts';
import type { SessionCookies } from '../session-cookies.ts';
import { sendToSignInPage } from '../sign-in-page.ts';
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

/**
 * The way in. People see these answers in their browser, so that every failure leads to a page that explains it, also
 * those that come before a handler. Belongs into a scope of its own.
 */
export function addSignInRoutes(app: FastifyInstance, parts: SignInRouteParts): void {
  const { cookies, origin } = parts;
  const redirectUri = () => `${origin()}${CALLBACK_PATH}`;
  app.setErrorHandler(sendToSignInPage);

  addEndpoint(app, startSignIn, letThrough, async (request, reply) => {
    const ownAddress = otherLoopbackName(request, origin());
    if (ownAddress !== undefined) {
      return reply.redirect(ownAddress);
    }
    const signIns = await admit(request, parts);
    const { address, browser } = await signIns.start({
      returnTo: request.query.returnTo,
      browser: cookies.readBrowser(request),
      redirectUri: redirectUri(),
    });
    cookies.writeBrowser(reply, browser);
    return reply.redirect(address);
  });

  addEndpoint(app, completeSignIn, letThrough, async (request, reply) => {
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
    return reply.redirect(returnTo);
  });
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

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
