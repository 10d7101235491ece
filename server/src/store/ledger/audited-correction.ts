import { decimalText } from '../../domain/ledger/amount.ts';
import type { NewTransaction } from '../../domain/model.ts';

/** The audit detail of a transaction that a person posted. */
export function auditedCorrection(transaction: NewTransaction): Record<string, unknown> {
  const { playerId, name, quantity, extra, isForced } = transaction;
  return {
    playerId,
    name,
    quantity,
    amount: decimalText(transaction.amountUnits),
    total: decimalText(transaction.totalUnits),
    ...(extra?.reverses !== undefined && { reverses: extra.reverses.transactionId }),
    ...(extra?.metadata?.corrects !== undefined && { corrects: extra.metadata.corrects }),
    ...(isForced === true && { forced: true }),
  };
}

/** The audit detail of an account's floor. */
export function auditedFloor(floorUnits: number | null): Record<string, unknown> {
  return { floor: floorUnits === null ? null : decimalText(floorUnits) };
}
