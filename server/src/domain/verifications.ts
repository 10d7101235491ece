import { DomainError } from './errors.ts';
import type { LookupKind, Verification } from './model.ts';
import type { VerificationStore } from './ports.ts';

/** A value may be looked up as one kind by naming it, as in `name:Rowan`. Present accounts go before past ones. */
const KINDS_BY_PREFIX: ReadonlyMap<string, readonly LookupKind[]> = new Map([
  ['chat', ['chat']],
  ['player', ['player', 'past_player']],
  ['name', ['name', 'past_name']],
]);
const ALL_KINDS: readonly LookupKind[] = ['chat', 'player', 'name', 'past_player', 'past_name'];

export interface Verifications {
  find(query: string): Promise<Verification>;
}

export function createVerifications(store: VerificationStore): Verifications {
  return {
    async find(query) {
      const { kinds, value } = parseQuery(query);
      for (const kind of kinds) {
        const found = await store.find(kind, value);
        if (found !== undefined) {
          return found;
        }
      }
      throw new DomainError('user_not_found');
    },
  };
}

function parseQuery(query: string): { kinds: readonly LookupKind[]; value: string } {
  const colon = query.indexOf(':');
  const kinds = KINDS_BY_PREFIX.get(query.slice(0, Math.max(colon, 0)));
  if (kinds === undefined) {
    return { kinds: ALL_KINDS, value: query };
  }
  const value = query.slice(colon + 1);
  if (value.trim() === '') {
    throw new DomainError('missing_parameters');
  }
  return { kinds, value };
}
