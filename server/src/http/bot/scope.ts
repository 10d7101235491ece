import type { Guilds } from '../../domain/access/guilds.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Actor } from '../../domain/model.ts';
import type { Verifications } from '../../domain/people/verifications.ts';
import type { Clock, Store } from '../../domain/ports.ts';
import type { Commands } from '../../domain/records/commands.ts';
import type { Records } from '../../domain/records/records.ts';
import type { Access, AddEndpoint } from '../pipeline.ts';

/** There is one bot, the operator's own. */
export const BOT: Actor = { kind: 'bot', id: 'bot' };

export interface BotParts {
  guilds: Guilds;
  records: Records;
  verifications: Verifications;
  commands: Commands;
  store: Store;
  clock: Clock;
}

/** What each endpoint of the bot registers itself with. */
export interface BotScope {
  add: AddEndpoint;
  access: Access<void>;
  parts: BotParts;
}

/** What the endpoints of the operator's bot have in common. */
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

/** An id may stand in the body too, but then it must be the one in the address. */
export function assertSame(address: Record<string, string | undefined>, body: object): void {
  const given: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(address)) {
    if (given[name] !== undefined && given[name] !== value) {
      throw new DomainError('invalid_input', { detail: `${name} in the body differs from the address` });
    }
  }
}
