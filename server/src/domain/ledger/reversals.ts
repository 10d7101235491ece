import { DomainError } from '../errors.ts';
import type { NewTransaction } from '../model.ts';
import type { Clock, IdSource, LedgerStore } from '../ports.ts';
import { type EntryStore, isTransactionId, type LedgerEntry, missingTransaction } from './entries.ts';
import { namingFunds } from './funds.ts';
import { hashOf, type PostedFor } from './ledger.ts';

export const REVERSALS_MAX = 100;

export interface ReversalInput {
  transactionIds: readonly string[];
  reason?: string | undefined;
  /** Ignores the floors of the accounts, because a person who manages the guild decided so. */
  isForced?: boolean | undefined;
}

export interface ReversalOutcome {
  /** In the order of the given ids. */
  reversals: LedgerEntry[];
  originals: LedgerEntry[];
  replayed: boolean;
}

/** Reverses transactions by posting the exact opposite of each on the same account: all of them or none. */
export type Reverse = (
  by: PostedFor,
  input: ReversalInput,
  idempotencyKey?: string,
) => Promise<ReversalOutcome>;

export function createReverse(parts: {
  store: LedgerStore;
  entries: EntryStore;
  clock: Clock;
  ids: IdSource;
}): Reverse {
  const { store, entries, clock, ids } = parts;

  async function readAll(
    guild: PostedFor['guild'],
    transactionIds: readonly string[],
  ): Promise<LedgerEntry[]> {
    const found = new Map(
      (await entries.findMany(guild, transactionIds.filter(isTransactionId))).map((entry) => [
        entry.transactionId,
        entry,
      ]),
    );
    const all: LedgerEntry[] = [];
    for (const [position, transactionId] of transactionIds.entries()) {
      const entry = found.get(transactionId);
      if (entry === undefined) {
        throw await missingTransaction(entries, guild, transactionId, { position, transactionId });
      }
      all.push(entry);
    }
    return all;
  }

  return async (by, input, idempotencyKey) => {
    const { transactionIds, reason, isForced } = input;
    const repeated = transactionIds.findIndex((id, index) => transactionIds.indexOf(id) < index);
    if (repeated !== -1) {
      throw new DomainError('invalid_input', { detail: `transactionIds[${repeated}] repeats an earlier id` });
    }
    const originals = await readAll(by.guild, transactionIds);
    const paymentIds = new Set(originals.flatMap(({ paymentId }) => paymentId ?? []));
    const sides = paymentIds.size === 0 ? [] : await entries.findPayments(by.guild, [...paymentIds]);
    assertReversible(originals, sides);
    const createdAtMs = clock.nowMs();
    const outcomes = await namingFunds(
      store.appendGroup({
        guild: by.guild,
        transactions: originals.map((original) => ({
          ...by,
          ...oppositeOf(original, reason),
          transactionId: ids.uuid(),
          createdAtMs,
          idempotency: undefined,
          isForced,
        })),
        idempotency:
          idempotencyKey === undefined
            ? undefined
            : { key: idempotencyKey, requestHash: hashOf(['reversal', transactionIds, reason ?? null]) },
      }),
    );
    const reversalIds = outcomes.map(({ transactionId }) => transactionId);
    const read = await readAll(by.guild, [...reversalIds, ...transactionIds]);
    return {
      reversals: read.slice(0, reversalIds.length),
      originals: read.slice(reversalIds.length),
      replayed: outcomes.some(({ replayed }) => replayed),
    };
  };
}

/**
 * Refuses originals that are reversals, and a payment without its other side. `sides` are all sides of the payments
 * among the originals. The store refuses a second reversal.
 */
export function assertReversible(originals: readonly LedgerEntry[], sides: readonly LedgerEntry[]): void {
  const wanted = new Set(originals.map(({ transactionId }) => transactionId));
  for (const [position, { transactionId, reverses, paymentId }] of originals.entries()) {
    if (reverses !== undefined) {
      throw new DomainError('is_reversal', { facts: { position, transactionId } });
    }
    const other = sides.find((side) => side.paymentId === paymentId && !wanted.has(side.transactionId));
    if (paymentId !== undefined && other !== undefined) {
      throw new DomainError('is_payment', { facts: { position, transactionId: other.transactionId } });
    }
  }
}

/** The same transaction with the opposite sign, linked to the one that it reverses. */
function oppositeOf(
  original: LedgerEntry,
  reason: string | undefined,
): Pick<
  NewTransaction,
  'playerId' | 'name' | 'quantity' | 'amountUnits' | 'totalUnits' | 'source' | 'extra'
> {
  const { playerId, name, quantity, amountUnits, totalUnits, source, number, transactionId } = original;
  return {
    playerId,
    name,
    quantity,
    amountUnits: -amountUnits,
    totalUnits: -totalUnits,
    source,
    extra: {
      reverses: { number, transactionId },
      metadata: reason === undefined ? undefined : { reason },
    },
  };
}
