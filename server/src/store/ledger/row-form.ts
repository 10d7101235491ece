/** What is read of each transaction `t`. */
export interface RowForm {
  columns: string;
  /** The other tables it takes, and how they belong to `t`. */
  joins: string;
  condition: string;
}

/** As the interface lists it. */
export const LISTED: RowForm = {
  columns:
    't.transaction_id AS "transactionId", t.amount AS "amountUnits", t.quantity, t.name, t.source, ' +
    't.total AS "totalUnits", t.created_at AS "createdAtMs"',
  joins: '',
  condition: '',
};

/**
 * With everything known of it. A game account has one verified holder; should there ever be two, the index decides. `guild`
 * is what the guild's number is compared with: a value that names it keeps the statement on one machine, where tables
 * are distributed.
 */
export function detailedForm(guild: string): RowForm {
  // What only some transactions have, looked up for the rows that are shown and no others.
  const beside = (column: string) =>
    `(SELECT x.${column} FROM ledger_extra AS x WHERE x.guild_no = ${guild} AND x.number = t.number)`;
  return {
    columns:
      `${LISTED.columns}, t.account_no AS "accountNo", t.seq, t.balance_after AS "balanceUnits", ` +
      'a.player_id AS "playerId", (SELECT v.username FROM verification AS v WHERE v.player_id = a.player_id ' +
      'ORDER BY v.chat_id DESC LIMIT 1) AS username, ' +
      'k.key_id AS "keyId", k.name AS "keyName", k.prefix AS "keyPrefix", ' +
      't.posted_by AS "postedByChatId", u.name AS "postedByName", t.number, ' +
      `${beside('reference')} AS reference, ${beside('metadata')} AS metadata, ` +
      `${beside('payment_id')} AS "paymentId", (SELECT o.transaction_id FROM ledger_transaction AS o ` +
      `WHERE o.guild_no = ${guild} AND o.number = ${beside('reverses')}) AS reverses, ` +
      `(SELECT r.transaction_id FROM ledger_transaction AS r WHERE r.guild_no = ${guild} AND r.number = ` +
      `(SELECT y.number FROM ledger_extra AS y WHERE y.guild_no = ${guild} AND y.reverses = t.number)) ` +
      'AS "reversedBy"',
    joins:
      'CROSS JOIN account AS a LEFT JOIN api_key AS k ON k.key_no = t.key_no ' +
      'LEFT JOIN chat_user AS u ON u.chat_id = t.posted_by',
    condition: `AND a.guild_no = ${guild} AND a.account_no = t.account_no`,
  };
}
