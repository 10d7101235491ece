import type { TObject, TSchema } from 'typebox';
import type { Principal } from '../../domain/model.ts';
import { createKeyAccess } from '../access/key.ts';
import type { Endpoint } from '../endpoint.ts';
import { type CreateHandler, type Served, serve } from '../served.ts';

/** An endpoint for holders of a guild's key. */
export function forKey<Params extends TObject, Query extends TObject, Body extends TSchema>(
  endpoint: Endpoint<Params, Query, Body>,
  createHandler: CreateHandler<Principal, Params, Query, Body>,
): Served<Endpoint> {
  return serve(endpoint, (parts) => createKeyAccess(endpoint, parts), createHandler);
}
