import type { TObject, TSchema } from 'typebox';
import { DomainError, type ErrorCode } from '../../domain/errors.ts';
import { actionOf } from '../../wire/roles.ts';
import {
  createSessionAccess,
  requireOnPlatform,
  type SessionRoute,
  type SignedIn,
} from '../access/session.ts';
import { answerJson } from '../answer.ts';
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
  const createAnswering = withNull(route.nullFor, createHandler);
  const createChecked: typeof createHandler = (parts) => {
    const handler = createAnswering(parts);
    return (call) => {
      requireOnPlatform(call.who);
      return handler(call);
    };
  };
  return serve(
    route,
    (parts) => createSessionAccess(route, parts),
    needsPlatform ? createChecked : createAnswering,
  );
}

/** The handler with `data: null` in place of this error. Other errors, of an unknown guild too, stay errors. */
function withNull<Params extends TObject, Query extends TObject, Body extends TSchema>(
  code: ErrorCode | undefined,
  createHandler: CreateHandler<SignedIn, Params, Query, Body>,
): CreateHandler<SignedIn, Params, Query, Body> {
  if (code === undefined) {
    return createHandler;
  }
  return (parts) => {
    const handler = createHandler(parts);
    return async (call) => {
      try {
        return await handler(call);
      } catch (error) {
        if (error instanceof DomainError && error.code === code) {
          return answerJson({ success: true, data: null });
        }
        throw error;
      }
    };
  };
}
