import { DomainError } from '../errors.ts';
import { continueWith, type MaybePromise } from '../maybe-promise.ts';
import type { Actor, LookupKind, NewVerification, Verification } from '../model.ts';
import type { Clock, VerificationStore } from '../ports.ts';

/** A prefix limits the look-up to one kind, as in `name:Rowan`. Present accounts are tried before past ones. */
const KINDS_BY_PREFIX: ReadonlyMap<string, readonly LookupKind[]> = new Map([
  ['chat', ['chat']],
  ['player', ['player', 'past_player']],
  ['name', ['name', 'past_name']],
]);
const ALL_KINDS: readonly LookupKind[] = ['chat', 'player', 'name', 'past_player', 'past_name'];

export interface Verifications {
  find(query: string): MaybePromise<Verification>;
  /** The same, but undefined when nobody is found. */
  lookUp(query: string): Promise<Verification | undefined>;
  /** Verifies a person, or changes the verification, by the rules of `VerificationStore.put`. */
  verify(verification: NewVerification, actor: Actor): Promise<Verification>;
  forget(chatId: string, actor: Actor): Promise<void>;
}

export function createVerifications(parts: { store: VerificationStore; clock: Clock }): Verifications {
  const { store, clock } = parts;
  return {
    find(query) {
      const { kinds, value } = parseQuery(query);
      return continueWith(store.find(kinds, value), requireFound);
    },
    async lookUp(query) {
      return store.find(ALL_KINDS, query);
    },
    async verify(verification, actor) {
      await store.put([verification], { actor, atMs: clock.nowMs() });
      return requireFound(await store.find(['chat'], verification.chatId));
    },
    async forget(chatId, actor) {
      if (!(await store.delete(chatId, { actor, atMs: clock.nowMs() }))) {
        throw new DomainError('user_not_found');
      }
    },
  };
}

function requireFound(verification: Verification | undefined): Verification {
  if (verification === undefined) {
    throw new DomainError('user_not_found');
  }
  return verification;
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
