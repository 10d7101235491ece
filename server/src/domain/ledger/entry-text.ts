import { isoText } from '../iso-text.ts';
import { type ListedTransaction, NOTE_FIELDS } from '../model.ts';
import { decimalText } from './amount.ts';
import type { AccountSummary, LedgerEntry } from './entries.ts';

/**
 * Bodies of the ledger are serialized by hand: amounts are exact decimals, and the largest have more digits than a
 * JavaScript number prints. Tests compare the bodies with the wire schemas.
 */

/** The fields of a transaction in a player's list, without braces. */
export function transactionFields(row: ListedTransaction): string {
  return (
    `"transactionId":"${row.transactionId}","amount":${decimalText(row.amountUnits)},` +
    `"quantity":${row.quantity},"name":${quoted(row.name)},"source":${quoted(row.source)},` +
    `"total":${decimalText(row.totalUnits)},"createdAt":"${isoText(row.createdAtMs)}"`
  );
}

export function entryText(entry: LedgerEntry): string {
  const { kind, id, name } = entry.postedBy;
  return (
    `{${transactionFields(entry)},"playerId":${quoted(entry.playerId)},"number":${entry.number},` +
    `"balanceAfter":${decimalText(entry.balanceUnits)},` +
    `"type":"${entry.amountUnits > 0 ? 'deposit' : 'withdrawal'}","reverses":${textOrNull(entry.reverses)},` +
    `"reversedBy":${textOrNull(entry.reversedBy)},"paymentId":${textOrNull(entry.paymentId)},` +
    `${noteTexts(entry)}"metadata":${entry.metadata === undefined ? 'null' : JSON.stringify(entry.metadata)},` +
    `"postedBy":{"kind":"${kind}","id":${textOrNull(id)},"name":${textOrNull(name)}}}`
  );
}

const NOTE_KEYS = NOTE_FIELDS.map((name) => ({ name, key: `"${name}":` }));

/** The texts of the caller, each followed by a comma. */
function noteTexts(entry: LedgerEntry): string {
  let texts = '';
  for (const { name, key } of NOTE_KEYS) {
    texts += `${key}${textOrNull(entry[name])},`;
  }
  return texts;
}

export function entryTexts(entries: readonly LedgerEntry[]): string {
  let rows = '';
  for (const entry of entries) {
    rows += rows === '' ? entryText(entry) : `,${entryText(entry)}`;
  }
  return rows;
}

/** The fields of an account, without braces. */
export function accountFields(account: AccountSummary): string {
  const { playerId, balanceUnits, transactionCount, lastTransactionAtMs } = account;
  const last = lastTransactionAtMs === undefined ? 'null' : `"${isoText(lastTransactionAtMs)}"`;
  return (
    `"playerId":${quoted(playerId)},"balance":${decimalText(balanceUnits)},` +
    `"transactionCount":${transactionCount},"lastTransactionAt":${last}`
  );
}

export function textOrNull(text: string | undefined): string {
  return text === undefined ? 'null' : quoted(text);
}

/** Printable ASCII without quotes and backslashes, which JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
