import { hash } from 'node:crypto';
import { DomainError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import type {
  AppendOutcome,
  GuildRef,
  Listing,
  ListingQuery,
  Metadata,
  NewTransaction,
  Principal,
  SortKey,
  SortOrder,
  TransactionExtra,
  TransactionFilter,
  TransactionNotes,
} from '../model.ts';
import type { Clock, IdSource, LedgerStore } from '../ports.ts';
import { totalUnits, unitsFromNumber } from './amount.ts';
import { meaningOfNotes, pickNotes } from './notes.ts';

/** A post as the caller sends it. The flags only confirm the sign of the amount. */
export interface TransactionInput {
  playerId: string;
  name: string;
  quantity: number;
  amount: number;
  source: string;
  deposit?: boolean | undefined;
  withdrawal?: boolean | undefined;
}

export type PostOutcome = AppendOutcome & { type: 'deposit' | 'withdrawal' };

/** The filters of a list as the caller sends them. */
export interface TransactionFilterInput {
  from?: string | undefined;
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
}

export interface ListingInput extends TransactionFilterInput {
  page: number;
  limit: number;
  sortBy: SortKey;
  sortOrder: SortOrder;
}

export interface Ledger {
  post(principal: Principal, input: TransactionInput, idempotencyKey?: string): Promise<PostOutcome>;
  list(principal: Principal, playerId: string, input: ListingInput): MaybePromise<Listing>;
  /** A post by a person, by the same rules. Its source is the dashboard, if none is given. */
  correct(
    guild: GuildRef,
    chatId: string,
    input: Omit<TransactionInput, 'source'> & {
      source?: string | undefined;
      extra?: TransactionExtra | undefined;
    },
    idempotencyKey?: string,
  ): Promise<PostOutcome>;
}

/** The `source` of corrections. */
export const CORRECTION_SOURCE = 'dashboard';

/** The poster of a transaction. */
export type PostedFor = Pick<NewTransaction, 'guild' | 'keyNo' | 'keyId' | 'postedBy' | 'isKeyLimited'>;

/** The poster for a key. */
export function postedForKey({ guild, keyNo, keyId, isLimited }: Principal): PostedFor {
  return { guild, keyNo, keyId, isKeyLimited: isLimited };
}

/** Checks a post and builds the transaction. */
export type MakeTransaction = (
  by: PostedFor,
  input: TransactionInput & { extra?: TransactionExtra | undefined },
  idempotencyKey?: string,
) => NewTransaction;

export function createMakeTransaction({ clock, ids }: { clock: Clock; ids: IdSource }): MakeTransaction {
  return (by, input, idempotencyKey) => {
    const amountUnits = unitsFromNumber('amount', input.amount);
    assertSign(amountUnits, input);
    const { extra } = input;
    return {
      ...by,
      playerId: input.playerId,
      transactionId: ids.uuid(),
      name: input.name,
      quantity: input.quantity,
      amountUnits,
      totalUnits: totalUnits(amountUnits, input.quantity),
      source: input.source,
      createdAtMs: clock.nowMs(),
      idempotency:
        idempotencyKey === undefined
          ? undefined
          : { key: idempotencyKey, requestHash: requestHash(amountUnits, input, extra) },
      extra,
    };
  };
}

export function createLedger(parts: { store: LedgerStore; clock: Clock; ids: IdSource }): Ledger {
  const { store } = parts;
  const make = createMakeTransaction(parts);

  async function post(
    by: PostedFor,
    input: Parameters<MakeTransaction>[1],
    idempotencyKey?: string,
  ): Promise<PostOutcome> {
    const transaction = make(by, input, idempotencyKey);
    const outcome = await store.append(transaction);
    return { ...outcome, type: transaction.amountUnits > 0 ? 'deposit' : 'withdrawal' };
  }

  return {
    // Unknown fields of a body are ignored, so this route drops the fields of the newer routes.
    post: (principal, input, idempotencyKey) =>
      post(postedForKey(principal), { ...input, extra: undefined }, idempotencyKey),

    correct: ({ guildNo, guildId }, postedBy, input, idempotencyKey) =>
      post(
        { guild: { guildNo, guildId }, keyNo: undefined, postedBy },
        { ...input, source: input.source ?? CORRECTION_SOURCE },
        idempotencyKey,
      ),

    list(principal, playerId, input) {
      return store.list(principal.guild, playerId, toListingQuery(input));
    },
  };
}

function assertSign(amountUnits: number, flags: Pick<TransactionInput, 'deposit' | 'withdrawal'>): void {
  if (amountUnits === 0) {
    throw new DomainError('invalid_input', { detail: 'amount must not be zero' });
  }
  if (flags.deposit === true && amountUnits < 0) {
    throw new DomainError('deposit_conflict');
  }
  if (flags.withdrawal === true && amountUnits > 0) {
    throw new DomainError('withdrawal_conflict');
  }
}

/** Two posts are the same request when all meaningful fields are equal, whatever their order. */
function requestHash(
  amountUnits: number,
  input: TransactionInput,
  extra: TransactionExtra | undefined,
): string {
  const { playerId, name, quantity, source, deposit = false, withdrawal = false } = input;
  const meaning = [playerId, name, quantity, amountUnits, source, deposit, withdrawal];
  // Without notes the hash is the same as before they existed: keys are kept permanently.
  return hashOf(extra === undefined ? meaning : [...meaning, ...meaningOfNotes(extra)]);
}

/** A hash of the meaningful fields of a request. */
export function hashOf(meaning: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(meaning), 'base64url');
}

/** The notes of a post, which only the newer routes accept; undefined when it has none. */
export function toExtra(input: TransactionNotes): TransactionExtra | undefined {
  const notes = pickNotes(input);
  return notes && { ...notes, metadata: notes.metadata && inOrder(notes.metadata) };
}

export const METADATA_BYTES_MAX = 2_048;

/** The same metadata with sorted names, so that equal metadata is equal text. */
function inOrder(metadata: Metadata): Metadata {
  const ordered = Object.fromEntries(
    Object.entries(metadata).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  if (Buffer.byteLength(JSON.stringify(ordered)) > METADATA_BYTES_MAX) {
    throw new DomainError('invalid_input', {
      detail: `metadata must not take more than ${METADATA_BYTES_MAX} bytes as JSON`,
    });
  }
  return ordered;
}

export function toListingQuery(input: ListingInput): ListingQuery {
  const { page, limit, sortBy, sortOrder } = input;
  return { page, limit, ...toFilter(input), sortBy, sortOrder };
}

/** The filters of a listing, in units. */
export function toFilter(input: TransactionFilterInput): TransactionFilter {
  const minUnits = input.minAmount === undefined ? undefined : unitsFromNumber('minAmount', input.minAmount);
  const maxUnits = input.maxAmount === undefined ? undefined : unitsFromNumber('maxAmount', input.maxAmount);
  if (minUnits !== undefined && maxUnits !== undefined && minUnits > maxUnits) {
    throw new DomainError('invalid_input', { detail: 'minAmount must not be above maxAmount' });
  }
  return { source: input.from, minUnits, maxUnits };
}
