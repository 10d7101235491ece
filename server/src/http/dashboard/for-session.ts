import type { TObject, TSchema } from 'typebox';
import { actionOf } from '../../wire/roles.ts';
import {
  createSessionAccess,
  requireOnPlatform,
  type SessionRoute,
  type SignedIn,
} from '../access/session.ts';
import { type CreateHandler, type Served, serve } from '../served.ts';

/** Shared by the routes of the dashboard. */
export const SESSION_ROUTE = { access: 'session', errorShape: 'coded' } as const;

/**
 * An endpoint for people who are signed in. An action that needs the right on the chat platform itself is refused to an invited
 * manager once their input is known to be valid: with invalid input they get 400.
 */
export function forSession<Params extends TObject, Query extends TObject, Body extends TSchema>(
  route: SessionRoute<Params, Query, Body>,
  createHandler: CreateHandler<SignedIn, Params, Query, Body>,
): Served {
  const needsPlatform = actionOf(route)?.needsPlatform === true;
  const createChecked: typeof createHandler = (parts) => {
    const handler = createHandler(parts);
    return (call) => {
      requireOnPlatform(call.who);
      return handler(call);
    };
  };
  return serve(
    route,
    (parts) => createSessionAccess(route, parts),
    needsPlatform ? createChecked : createHandler,
  );
}
