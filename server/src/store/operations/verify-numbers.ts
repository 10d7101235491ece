/** The number of audit entries that are missing, apart from those that were removed from the beginning of a log. */
export const MISSING_AUDIT_ENTRIES = `SELECT CAST(coalesce(sum(n.last - coalesce(r.through_entry_no, 0) - n.present), 0) AS bigint)
    AS count
  FROM (SELECT guild_no, max(entry_no) AS last, count(*) AS present FROM audit_entry GROUP BY guild_no) AS n
  LEFT JOIN audit_removed AS r ON r.guild_no = n.guild_no`;

/** A condition: the day `d` of a guild may have archived transactions. Its sums are checked with those of the archive. */
export const IS_ARCHIVED_DAY = `EXISTS (
  SELECT 1 FROM archive AS r WHERE r.guild_no = d.guild_no AND d.day * 86400000 < r.before_at)`;

/** Facts about the numbers of transactions and about `ledger_extra`, in SQL that both stores understand. */
export const NUMBER_FACTS = [
  {
    claim: 'guilds with gaps in the numbers of their transactions',
    table: 'guild_ledger',
    sql: `SELECT count(*) AS count FROM (
      SELECT guild_no, count(*) AS present, count(number) AS numbered, min(number) AS first, max(number) AS last
      FROM ledger_transaction GROUP BY guild_no) AS n
      LEFT JOIN guild_ledger AS l ON l.guild_no = n.guild_no
      WHERE n.numbered <> n.present OR n.first <> 1 + coalesce(l.archived_number, 0)
        OR n.last <> n.present + coalesce(l.archived_number, 0)`,
  },
  {
    claim: 'ledgers that would go on with another number than their next',
    table: 'guild_ledger',
    sql: `SELECT count(*) AS count FROM (
      SELECT guild_no, sum(known) AS known, max(used) AS used FROM (
        SELECT guild_no, last_number AS known, archived_number AS used FROM guild_ledger
        UNION ALL SELECT guild_no, 0, max(number) FROM ledger_transaction GROUP BY guild_no) AS both_sides
      GROUP BY guild_no) AS n WHERE n.known <> n.used`,
  },
  {
    claim: 'accounts with another number of archived transactions than their guild',
    table: 'archive',
    sql: `SELECT count(*) AS count FROM (
      SELECT guild_no, sum(archived) AS archived, sum(removed) AS removed FROM (
        SELECT guild_no, archived_count AS archived, 0 AS removed FROM account
        UNION ALL SELECT guild_no, 0, archived_number FROM guild_ledger) AS both_sides
      GROUP BY guild_no) AS n WHERE n.archived <> n.removed`,
  },
  {
    claim: 'archived transactions that are still there',
    table: 'archive',
    sql: `SELECT count(*) AS count FROM ledger_transaction AS t
      JOIN guild_ledger AS l ON l.guild_no = t.guild_no WHERE t.number <= l.archived_number`,
  },
  {
    claim: 'facts that belong to no transaction',
    table: 'ledger_extra',
    sql: `SELECT count(*) AS count FROM ledger_extra AS x
      LEFT JOIN ledger_transaction AS t ON t.guild_no = x.guild_no AND t.number = x.number WHERE t.number IS NULL`,
  },
  {
    claim: 'reversals that are not the opposite of what they reverse',
    table: 'ledger_extra',
    sql: `SELECT count(*) AS count FROM ledger_extra AS x
      JOIN ledger_transaction AS t ON t.guild_no = x.guild_no AND t.number = x.number
      LEFT JOIN ledger_transaction AS o ON o.guild_no = x.guild_no AND o.number = x.reverses
      WHERE x.reverses IS NOT NULL
        AND (o.number IS NULL OR o.account_no <> t.account_no OR o.total <> -t.total OR o.number >= t.number)`,
  },
  {
    // An import may have brought only one side.
    claim: 'payments with more than two sides, or with two that do not add up to nothing',
    table: 'ledger_extra',
    sql: `SELECT count(*) AS count FROM (
      SELECT count(*) AS sides, sum(t.total) AS total FROM ledger_extra AS x
      JOIN ledger_transaction AS t ON t.guild_no = x.guild_no AND t.number = x.number
      WHERE x.payment_id IS NOT NULL GROUP BY x.guild_no, x.payment_id) AS p WHERE p.sides > 2
        OR (p.sides = 2 AND p.total <> 0)`,
  },
];
