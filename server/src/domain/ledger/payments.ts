import { DomainError } from '../errors.ts';
import type { AppendOutcome, TransactionNotes } from '../model.ts';
import type { Clock, IdSource, LedgerStore } from '../ports.ts';
import { unitsFromNumber } from './amount.ts';
import type { EntryStore } from './entries.ts';
import { namingFunds } from './funds.ts';
import { createMakeTransaction, hashOf, type PostedFor, toExtra } from './ledger.ts';
import { meaningOfNotes } from './notes.ts';

export interface PaymentInput extends TransactionNotes {
  fromPlayerId: string;
  toPlayerId: string;
  amount: number;
  name: string;
  source: string;
}

export interface PaymentOutcome {
  paymentId: string;
  from: AppendOutcome;
  to: AppendOutcome;
  replayed: boolean;
}

/** Moves an amount from one player to another, in one commit. */
export type Pay = (by: PostedFor, input: PaymentInput, idempotencyKey?: string) => Promise<PaymentOutcome>;

export function createPay(parts: {
  store: LedgerStore;
  entries: Pick<EntryStore, 'find'>;
  clock: Clock;
  ids: IdSource;
}): Pay {
  const { store, entries, ids } = parts;
  const make = createMakeTransaction(parts);

  return async (by, input, idempotencyKey) => {
    assertPayment(input);
    const { guild } = by;
    const { fromPlayerId, toPlayerId, amount, name, source } = input;
    const paymentId = ids.uuid();
    const extra = { ...toExtra(input), paymentId };
    const side = (playerId: string, sign: 1 | -1) =>
      make(by, { playerId, name, source, quantity: 1, amount: sign * amount, extra });
    const [from, to] = await namingFunds(
      store.appendGroup({
        guild,
        transactions: [side(fromPlayerId, -1), side(toPlayerId, 1)],
        idempotency:
          idempotencyKey === undefined ? undefined : { key: idempotencyKey, requestHash: hashPayment(input) },
      }),
    );
    if (from === undefined || to === undefined) {
      throw new Error('a payment has two sides');
    }
    if (!from.replayed) {
      return { paymentId, from, to, replayed: false };
    }
    const first = await entries.find(guild, from.transactionId);
    return { paymentId: first?.paymentId ?? paymentId, from, to, replayed: true };
  };
}

function assertPayment({ fromPlayerId, toPlayerId, amount }: PaymentInput): void {
  if (unitsFromNumber('amount', amount) <= 0) {
    throw new DomainError('invalid_input', { detail: 'amount must be above zero' });
  }
  if (fromPlayerId === toPlayerId) {
    throw new DomainError('invalid_input', { detail: 'fromPlayerId and toPlayerId must differ' });
  }
}

function hashPayment(input: PaymentInput): string {
  const { fromPlayerId, toPlayerId, amount, name, source } = input;
  const notes = meaningOfNotes(toExtra(input) ?? {});
  return hashOf(['payment', fromPlayerId, toPlayerId, amount, name, source, ...notes]);
}
