import { DomainError, type ErrorCode } from '../errors.ts';
import type { AppendOutcome, Idempotency, NewTransaction, Principal, TransactionNotes } from '../model.ts';
import type { Clock, IdSource, LedgerStore } from '../ports.ts';
import { asInsufficientFunds } from './funds.ts';
import { createMakeTransaction, hashOf, postedForKey, type TransactionInput, toExtra } from './ledger.ts';

export const BATCH_ITEMS_MAX = 100;
/** Leaves room for the slash and the index that items add. */
export const BATCH_KEY_LENGTH_MAX = 252;

export interface BatchItem extends TransactionInput, TransactionNotes {
  idempotencyKey?: string | undefined;
}

export type BatchResult =
  | { status: 'posted' | 'replayed'; transactionId: string; balanceUnits: number }
  | { status: 'refused'; error: DomainError }
  | { status: 'skipped' };

export interface BatchOutcome {
  /** True when an item of an atomic batch was refused and nothing was written. */
  isRefused: boolean;
  /** In the order of the items. */
  results: BatchResult[];
}

export interface BatchInput {
  isAtomic: boolean;
  /** An item that could not be parsed is the error instead. */
  items: readonly (BatchItem | DomainError)[];
  /** Items without a key of their own get this one with their index appended. */
  idempotencyKey?: string | undefined;
}

/** Posts many transactions with one request. */
export type PostBatch = (principal: Principal, input: BatchInput) => Promise<BatchOutcome>;

export function createPostBatch(parts: { store: LedgerStore; clock: Clock; ids: IdSource }): PostBatch {
  const { store } = parts;
  const make = createMakeTransaction(parts);

  function prepare(principal: Principal, { items, idempotencyKey }: BatchInput) {
    const by = postedForKey(principal);
    return items.map((item, index): NewTransaction | DomainError => {
      if (item instanceof DomainError) {
        return item;
      }
      const key = item.idempotencyKey ?? (idempotencyKey && `${idempotencyKey}/${index}`);
      try {
        return make(by, { ...item, extra: toExtra(item) }, key);
      } catch (error) {
        return asRefusal(error);
      }
    });
  }

  async function postAll(
    guild: Principal['guild'],
    transactions: NewTransaction[],
    batch: Idempotency | undefined,
  ): Promise<BatchOutcome> {
    try {
      const outcomes = await store.appendGroup({ guild, transactions, idempotency: undefined, batch });
      return { isRefused: false, results: outcomes.map(toResult) };
    } catch (error) {
      const refusal = asRefusal(error);
      const position = refusal.facts?.position;
      if (position === undefined) {
        throw error;
      }
      const results = transactions.map(
        (_, index): BatchResult =>
          index === position ? { status: 'refused', error: refusal } : { status: 'skipped' },
      );
      return { isRefused: true, results };
    }
  }

  async function postEach(items: readonly (NewTransaction | DomainError)[]): Promise<BatchOutcome> {
    const results = await Promise.all(
      items.map((item) =>
        item instanceof DomainError ? refused(item) : store.append(item).then(toResult, refused),
      ),
    );
    const [first] = results;
    // When the store is unavailable for every item, the whole request fails.
    if (first?.status === 'refused' && results.every(isPassing)) {
      throw first.error;
    }
    return { isRefused: false, results };
  }

  return async (principal, input) => {
    const items = prepare(principal, input);
    const batch = batchOf(input, items);
    if (!input.isAtomic) {
      // Claimed before the items, which are committed one by one: after a crash, a repeat of the request matches the
      // claim and posts the rest.
      if (batch !== undefined) {
        await store.claimBatch(principal.guild, batch);
      }
      return postEach(items);
    }
    const transactions = items.flatMap((item) => (item instanceof DomainError ? [] : [item]));
    return transactions.length === items.length
      ? postAll(principal.guild, transactions, batch)
      : {
          isRefused: true,
          results: items.map((item) => (item instanceof DomainError ? refused(item) : { status: 'skipped' })),
        };
  };
}

/**
 * The key and hash of a batch, which detect another batch with the same key. The keys of the items cannot do that: an
 * item added at the end has a key that was never used.
 */
function batchOf(
  { isAtomic, idempotencyKey }: BatchInput,
  items: readonly (NewTransaction | DomainError)[],
): Idempotency | undefined {
  if (idempotencyKey === undefined) {
    return undefined;
  }
  const meanings = items.map((item) =>
    item instanceof DomainError
      ? [item.code, item.detail ?? null]
      : [item.idempotency?.key ?? null, item.idempotency?.requestHash ?? null],
  );
  return { key: idempotencyKey, requestHash: hashOf(['batch', isAtomic, meanings]) };
}

function toResult({ transactionId, balanceUnits, replayed }: AppendOutcome): BatchResult {
  return { status: replayed ? 'replayed' : 'posted', transactionId, balanceUnits };
}

function refused(error: unknown): BatchResult {
  return { status: 'refused', error: asRefusal(error) };
}

/** Only expected failures refuse an item; a defect fails the request. */
function asRefusal(error: unknown): DomainError {
  if (!(error instanceof DomainError) || error.code === 'internal') {
    throw error;
  }
  return asInsufficientFunds(error);
}

const PASSING: readonly ErrorCode[] = ['store_unavailable', 'overloaded'];

function isPassing(result: BatchResult): boolean {
  return result.status === 'refused' && PASSING.includes(result.error.code);
}
