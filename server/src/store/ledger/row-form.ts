import { holderSql } from '../people/holder-sql.ts';

import { selectNotes } from './extra-columns.ts';

/** The columns that are read of each transaction `t`, with the joins they need. */
export interface RowForm {
  columns: string;
  /** Joins of the other tables; `condition` ties them to `t`. */
  joins: string;
  condition: string;
}

/** A transaction as the interface lists it. */
export const LISTED: RowForm = {
  columns:
    't.transaction_id AS "transactionId", t.amount AS "amountUnits", t.quantity, t.name, t.source, ' +
    't.total AS "totalUnits", t.created_at AS "createdAtMs"',
  joins: '',
  condition: '',
};

/**
 * A transaction with all of its facts. Guild numbers are compared with `guild`: a bound value keeps the statement on
 * one node of a distributed store.
 */
export function detailedForm(guild: string): RowForm {
  // Facts that only some transactions have, looked up only for the rows that are shown.
  const beside = (column: string) =>
    `(SELECT x.${column} FROM ledger_extra AS x WHERE x.guild_no = ${guild} AND x.number = t.number)`;
  return {
    columns:
      `${LISTED.columns}, t.account_no AS "accountNo", t.seq, t.balance_after AS "balanceUnits", ` +
      `a.player_id AS "playerId", (${holderSql('username', 'a.player_id')}) AS username, ` +
      'k.key_id AS "keyId", k.name AS "keyName", k.prefix AS "keyPrefix", ' +
      't.posted_by AS "postedByChatId", u.name AS "postedByName", t.number, ' +
      `${selectNotes(beside)}, ${beside('payment_id')} AS "paymentId", ` +
      `coalesce((SELECT o.transaction_id FROM ledger_transaction AS o WHERE o.guild_no = ${guild} ` +
      `AND o.number = ${beside('reverses')}), ${beside('reverses_id')}) AS reverses, ` +
      `(SELECT r.transaction_id FROM ledger_transaction AS r WHERE r.guild_no = ${guild} AND r.number = ` +
      `(SELECT y.number FROM ledger_extra AS y WHERE y.guild_no = ${guild} AND y.reverses = t.number)) ` +
      'AS "reversedBy"',
    joins:
      'CROSS JOIN account AS a LEFT JOIN api_key AS k ON k.key_no = t.key_no ' +
      'LEFT JOIN chat_user AS u ON u.chat_id = t.posted_by',
    condition: `AND a.guild_no = ${guild} AND a.account_no = t.account_no`,
  };
}
