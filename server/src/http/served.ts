import type { TObject, TSchema } from 'typebox';
import type { Handler, Route } from './endpoint.ts';
import type { EndpointParts } from './endpoint-parts.ts';
import type { Access, AddEndpoint } from './pipeline.ts';

/** An endpoint as the server registers it: its route, with its access check and its handler. */
export interface Served<Kind extends Route = Route> {
  route: Kind;
  register(add: AddEndpoint, parts: EndpointParts): void;
}

/** Makes the handler of an endpoint, once for each server. Caches of the endpoint are made here. */
export type CreateHandler<Who, Params extends TObject, Query extends TObject, Body extends TSchema> = (
  parts: EndpointParts,
) => Handler<Who, Params, Query, Body>;

/** Declares an endpoint. It does not exist on a server for which `createAccess` returns undefined. */
export function serve<
  Who,
  Params extends TObject,
  Query extends TObject,
  Body extends TSchema,
  Kind extends Route<Params, Query, Body>,
>(
  route: Kind & Route<Params, Query, Body>,
  createAccess: (parts: EndpointParts) => Access<Who> | undefined,
  createHandler: CreateHandler<Who, Params, Query, Body>,
): Served<Kind> {
  return {
    route,
    register(add, parts) {
      const access = createAccess(parts);
      if (access !== undefined) {
        add(route, access, createHandler(parts));
      }
    },
  };
}

export const ANYBODY: Access<void> = { identify: () => undefined };

/** An endpoint without authentication. */
export function forAnybody<Params extends TObject, Query extends TObject, Body extends TSchema>(
  route: Route<Params, Query, Body>,
  createHandler: CreateHandler<void, Params, Query, Body>,
): Served {
  return serve(route, () => ANYBODY, createHandler);
}
