import type { SignIns } from '../../domain/access/sign-ins.ts';
import { DomainError } from '../../domain/errors.ts';
import type { RateBucket } from '../../domain/ports.ts';
import { CallbackQuery, SignInQuery } from '../../wire/dashboard.ts';
import { networkOf } from '../access/rate-limit.ts';
import { redirectTo } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import type { EndpointParts } from '../endpoint-parts.ts';
import type { Access } from '../pipeline.ts';
import type { HttpRequest } from '../request.ts';
import { serve } from '../served.ts';
import { SESSION_ROUTE } from './for-session.ts';
import { createSignInFailures } from './sign-in-page.ts';

const CALLBACK_PATH = '/dashboard/api/callback';
const LOOPBACK_HOSTS: readonly unknown[] = ['127.0.0.1', '[::1]', 'localhost'];

/** Each sign-in stores a row for ten minutes, so the sign-ins of one address are limited. */
const SIGN_INS: RateBucket = { name: 'sign-in', limit: 120, windowMs: 60_000 };

/** Browsers come here from other sites, and OAuth asks to ignore parameters that it does not define. */
const SIGN_IN_ROUTE = { ...SESSION_ROUTE, unknownParameters: 'ignored' } as const;

const startSignIn = {
  ...SIGN_IN_ROUTE,
  method: 'GET',
  path: '/dashboard/api/sign-in',
  query: SignInQuery,
} satisfies Route;

const completeSignIn = {
  ...SIGN_IN_ROUTE,
  method: 'GET',
  path: CALLBACK_PATH,
  query: CallbackQuery,
} satisfies Route;

/** People see these answers in their browser, so every failure leads to a page that explains it. */
const createAccess = ({ logger }: EndpointParts): Access<void> => ({
  identify: () => undefined,
  answerFailure: createSignInFailures(logger),
});

/** The address to which the platform sends the browser back. */
const redirectUri = ({ origin }: EndpointParts) => `${origin()}${CALLBACK_PATH}`;

/** Signing in. */
export const SIGN_IN_ENDPOINTS = [
  serve(startSignIn, createAccess, (parts) => async ({ query, request }) => {
    const ownAddress = otherLoopbackName(request, parts);
    if (ownAddress !== undefined) {
      return redirectTo(ownAddress);
    }
    const signIns = await admit(request, parts);
    const { address, browser } = await signIns.start({
      returnTo: query.returnTo,
      browser: parts.cookies.readBrowser(request),
      redirectUri: redirectUri(parts),
    });
    return redirectTo(address, parts.cookies.setBrowser(browser));
  }),
  serve(completeSignIn, createAccess, (parts) => async ({ query: { state, code, error }, request }) => {
    const { token, returnTo } = await requirePlatform(parts.signIns).complete({
      state: textOf(state),
      code: textOf(code),
      error: error === undefined ? undefined : String(error),
      browser: parts.cookies.readBrowser(request),
      formerToken: parts.cookies.readSession(request),
      redirectUri: redirectUri(parts),
    });
    return redirectTo(returnTo, parts.cookies.setSession(token));
  }),
];

async function admit({ raw }: HttpRequest, parts: EndpointParts): Promise<SignIns> {
  const signIns = requirePlatform(parts.signIns);
  const { admitted } = await parts.limiter.admit(SIGN_INS, networkOf(parts.clients.addressOf(raw)));
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
 * The loopback address has several names, and a cookie belongs to one of them. A browser that uses another name than the
 * platform's redirect will is sent to that name first.
 */
function otherLoopbackName({ raw }: HttpRequest, parts: EndpointParts): string | undefined {
  const origin = parts.origin();
  const own = new URL(origin);
  const asked = URL.parse(`http://${parts.clients.hostOf(raw)}`);
  const isOther = LOOPBACK_HOSTS.includes(asked?.hostname) && asked?.hostname !== own.hostname;
  return isOther && LOOPBACK_HOSTS.includes(own.hostname) && asked?.port === own.port
    ? `${origin}${raw.url?.startsWith('/') ? raw.url : startSignIn.path}`
    : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
