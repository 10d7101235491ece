import type { TObject, TSchema } from 'typebox';
import { DomainError } from '../../domain/errors.ts';
import type { Actor } from '../../domain/model.ts';
import type { Endpoint } from '../endpoint.ts';
import { type CreateHandler, type Served, serve } from '../served.ts';

/** There is one bot, the operator's own. */
export const BOT: Actor = { kind: 'bot', id: 'bot' };

/** An endpoint for the operator's bot. It is not registered when the bot has no token. */
export function forBot<Params extends TObject, Query extends TObject, Body extends TSchema>(
  endpoint: Endpoint<Params, Query, Body>,
  createHandler: CreateHandler<void, Params, Query, Body>,
): Served<Endpoint> {
  return serve(endpoint, ({ botAccess }) => botAccess, createHandler);
}

/** Shared by the endpoints of the operator's bot. */
export const BOT_ENDPOINT = { tag: 'Bot', access: 'bot', errorShape: 'coded' } as const;
export const RECORD_BYTES_MAX = 64 * 1024;

export const WRITE_ERRORS = [
  { code: 'missing_fields' },
  {
    code: 'invalid_input',
    detail: 'name must be text of 1 to 256 characters without control characters or direction marks',
  },
  { code: 'malformed_json' },
  { code: 'body_too_large' },
  { code: 'unsupported_media_type' },
] as const;

export const badAddress = (name: string) => ({
  code: 'invalid_input' as const,
  detail: `${name} must be text of 1 to 128 characters without control characters or direction marks`,
});

/** The body may contain the id too, but only the same one as in the address. */
export function assertSame(address: Record<string, string | undefined>, body: object): void {
  const given: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(address)) {
    if (given[name] !== undefined && given[name] !== value) {
      throw new DomainError('invalid_input', { detail: `${name} in the body differs from the address` });
    }
  }
}
