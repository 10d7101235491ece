import type { TObject, TSchema } from 'typebox';
import { createSessionAccess, type SessionRoute, type SignedIn } from '../access/session.ts';
import { type CreateHandler, type Served, serve } from '../served.ts';

/** What the routes of the dashboard have in common. */
export const SESSION_ROUTE = { access: 'session', errorShape: 'coded' } as const;

/** An endpoint for people who are signed in. */
export function forSession<Params extends TObject, Query extends TObject, Body extends TSchema>(
  route: SessionRoute<Params, Query, Body>,
  createHandler: CreateHandler<SignedIn, Params, Query, Body>,
): Served {
  return serve(route, (parts) => createSessionAccess(route, parts), createHandler);
}
