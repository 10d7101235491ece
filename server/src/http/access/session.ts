import { hash, timingSafeEqual } from 'node:crypto';
import type { TObject, TSchema } from 'typebox';
import type { Role } from '../../domain/access/roles.ts';
import { csrfTokenOf } from '../../domain/access/session-token.ts';
import type { Sessions } from '../../domain/access/sessions.ts';
import type { Dashboard } from '../../domain/dashboard.ts';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import type { Session, Verification } from '../../domain/model.ts';
import { actionOf, isOfOwnAccount } from '../../wire/roles.ts';
import type { Route } from '../endpoint.ts';
import type { Access } from '../pipeline.ts';
import type { HttpRequest } from '../request.ts';
import type { PersonRequests, Place } from './person-requests.ts';
import type { SessionCookies } from './session-cookies.ts';

/** The person who is signed in, and the CSRF token, which proves that one of our own pages sent a change. */
export interface SignedIn {
  session: Session;
  csrfToken: string;
  /** The person's role in the guild of the address; undefined for a route that belongs to no guild. */
  role: Role | undefined;
  /** The person's verification, for a route of their own account. */
  own: Verification | undefined;
  /**
   * True when the person manages the guild on the chat platform itself. It is set for changes of a guild, for which the platform
   * was asked; elsewhere it is false.
   */
  isOnPlatform: boolean;
  /** For streamed answers: fails once the session has ended or the role is gone. Does not count as activity. */
  recheck(): Promise<void>;
  /** The request's place among those of the person; undefined on routes without limits. */
  place: Place | undefined;
}

/** A route for people who are signed in. */
export interface SessionRoute<
  Params extends TObject = TObject,
  Query extends TObject = TObject,
  Body extends TSchema = TSchema,
> extends Route<Params, Query, Body> {
  access: 'session';
  /** Its requests do not count against the person's limits. */
  isUnlimited?: boolean;
  /**
   * This error is answered with status 200 and `data: null`. A page that opens the address of something deleted gets it in
   * daily use, and browsers log every 404 as an error of the page.
   */
  nullFor?: ErrorCode;
  /** Its requests have limits of their own, and their handlers are counted apart from the others. */
  isOfPictures?: boolean;
}

export interface SessionAccessParts {
  sessions: Sessions;
  dashboard: Dashboard;
  cookies: SessionCookies;
  personRequests: PersonRequests;
  pictureRequests: PersonRequests;
  /** Our own origin, as browsers name it. */
  origin: () => string;
}

/**
 * For people who are signed in. The checks have a fixed order: session; the person's limits; for a change, its origin
 * and its CSRF token; then whether the person has the role that the route needs in the guild of the address, or for a route of
 * their own account, whether they are a verified member. So requests that are refused count as well. Before the handler of a change of a guild runs, the chat platform is asked whether the person still
 * has that role.
 */
export function createSessionAccess(
  route: Pick<SessionRoute, 'method' | 'path' | 'isUnlimited' | 'isOfPictures'>,
  parts: SessionAccessParts,
): Access<SignedIn> {
  const isChange = route.method !== 'GET';
  const action = actionOf(route);
  const isOwn = isOfOwnAccount(route);
  const requests = route.isOfPictures === true ? parts.pictureRequests : parts.personRequests;

  async function identify(request: HttpRequest): Promise<SignedIn> {
    const token = parts.cookies.readSession(request);
    const session = await parts.sessions.find(token);
    const { chatId } = session.user;
    const place =
      route.isUnlimited === true ? undefined : await requests.enter(request, { chatId, isChange });
    return { ...(await check(request, { token, session })), place };
  }

  async function check(
    request: HttpRequest,
    { token, session }: { token: string | undefined; session: Session },
  ): Promise<Omit<SignedIn, 'place'>> {
    // A session was found, so there is a token.
    const csrfToken = csrfTokenOf(token ?? '');
    if (isChange) {
      assertSameOrigin(request, parts.origin());
      assertCsrfToken(request, csrfToken);
    }
    const { guildId = '' } = request.params;
    const role =
      action === undefined ? undefined : await parts.dashboard.requireRole(session, guildId, action.role);
    const own = isOwn ? await parts.dashboard.requireOwnAccount(session, guildId) : undefined;
    const recheck = async () => {
      const present = await parts.sessions.peek(token);
      if (action !== undefined) {
        await parts.dashboard.requireRole(present, guildId, action.role);
      }
      if (own !== undefined) {
        assertSameAccount(own, await parts.dashboard.requireOwnAccount(present, guildId));
      }
    };
    return { session, csrfToken, role, own, isOnPlatform: false, recheck };
  }

  /** The person may have signed out while the body was received. */
  async function findAgain(request: HttpRequest): Promise<Session> {
    const token = parts.cookies.readSession(request);
    const { session } = await check(request, { token, session: await parts.sessions.find(token) });
    return session;
  }

  return {
    identify,
    async admit({ who, request, hasWaitedForBody }) {
      await who.place?.takeTurn();
      const session = hasWaitedForBody ? await findAgain(request) : who.session;
      if (isChange && action !== undefined) {
        who.isOnPlatform = await parts.dashboard.requireRoleNow(
          session,
          request.params.guildId ?? '',
          action,
        );
      }
    },
  };
}

/** The person may have been verified with another game account meanwhile. */
function assertSameAccount(before: Verification, present: Verification): void {
  if (before.playerId !== present.playerId) {
    throw new DomainError('guild_not_found');
  }
}

/** The person's verification, for a route of their own account. */
export function ownAccountOf({ own }: SignedIn): Verification {
  if (own === undefined) {
    throw new Error('only routes of the own account have a verification');
  }
  return own;
}

/** The person's role, for a route of a guild. */
export function roleOf({ role }: SignedIn): Role {
  if (role === undefined) {
    throw new Error('only routes of a guild have a role');
  }
  return role;
}

/** Refuses a person who has their role from the guild and does not manage it on the chat platform itself. */
export function requireOnPlatform({ isOnPlatform }: SignedIn): void {
  if (!isOnPlatform) {
    throw new DomainError('not_guild_manager');
  }
}

/** Browsers set both headers themselves, and no page can forge either. */
function assertSameOrigin({ raw: { headers } }: HttpRequest, origin: string): void {
  if (headers.origin !== origin && headers['sec-fetch-site'] !== 'same-origin') {
    throw new DomainError('cross_site');
  }
}

function assertCsrfToken({ raw: { headers } }: HttpRequest, expected: string): void {
  const given = headers['x-csrf-token'];
  const isSame =
    typeof given === 'string' &&
    // `timingSafeEqual` needs equal lengths, which hashes have.
    timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
  if (!isSame) {
    throw new DomainError('csrf_mismatch');
  }
}
