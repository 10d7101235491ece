-- Totals are summed in two parts, above and below 2^26, so that no sum overflows. Division rounds towards zero, so the
-- remainder is subtracted first, for times before 1970.
INSERT INTO guild_day
WITH moved AS (
  SELECT guild_no, (created_at - ((created_at % 86400000) + 86400000) % 86400000) / 86400000 AS day, seq,
    CASE WHEN total > 0 THEN total ELSE 0 END AS deposit,
    CASE WHEN total < 0 THEN -total ELSE 0 END AS withdrawal
  FROM ledger_transaction
), summed AS (
  SELECT guild_no, day,
    sum(CASE WHEN seq = 1 THEN 1 ELSE 0 END) AS accounts_opened,
    sum(CASE WHEN deposit > 0 THEN 1 ELSE 0 END) AS deposit_count,
    sum(deposit >> 26) + (sum(deposit & 67108863) >> 26) AS deposit_upper,
    sum(deposit & 67108863) & 67108863 AS deposit_lower,
    sum(CASE WHEN withdrawal > 0 THEN 1 ELSE 0 END) AS withdrawal_count,
    sum(withdrawal >> 26) + (sum(withdrawal & 67108863) >> 26) AS withdrawal_upper,
    sum(withdrawal & 67108863) & 67108863 AS withdrawal_lower
  FROM moved GROUP BY guild_no, day
)
SELECT guild_no, day, accounts_opened,
  deposit_count, deposit_upper >> 26, ((deposit_upper & 67108863) << 26) + deposit_lower,
  withdrawal_count, withdrawal_upper >> 26, ((withdrawal_upper & 67108863) << 26) + withdrawal_lower
FROM summed;

INSERT INTO guild_day_source
WITH moved AS (
  SELECT guild_no, (created_at - ((created_at % 86400000) + 86400000) % 86400000) / 86400000 AS day, source,
    CASE WHEN total > 0 THEN total ELSE 0 END AS deposit,
    CASE WHEN total < 0 THEN -total ELSE 0 END AS withdrawal
  FROM ledger_transaction
), by_source AS (
  SELECT guild_no, day, source,
    row_number() OVER (PARTITION BY guild_no, day ORDER BY source) AS place,
    sum(CASE WHEN deposit > 0 THEN 1 ELSE 0 END) AS deposit_count,
    sum(deposit >> 26) AS deposit_upper,
    sum(deposit & 67108863) AS deposit_lower,
    sum(CASE WHEN withdrawal > 0 THEN 1 ELSE 0 END) AS withdrawal_count,
    sum(withdrawal >> 26) AS withdrawal_upper,
    sum(withdrawal & 67108863) AS withdrawal_lower
  FROM moved GROUP BY guild_no, day, source
), named AS (
  SELECT guild_no, day, CASE WHEN place <= 100 THEN source ELSE '' END AS source,
    deposit_count, deposit_upper, deposit_lower, withdrawal_count, withdrawal_upper, withdrawal_lower
  FROM by_source
), summed AS (
  SELECT guild_no, day, source,
    sum(deposit_count) AS deposit_count,
    sum(deposit_upper) + (sum(deposit_lower) >> 26) AS deposit_upper,
    sum(deposit_lower) & 67108863 AS deposit_lower,
    sum(withdrawal_count) AS withdrawal_count,
    sum(withdrawal_upper) + (sum(withdrawal_lower) >> 26) AS withdrawal_upper,
    sum(withdrawal_lower) & 67108863 AS withdrawal_lower
  FROM named GROUP BY guild_no, day, source
)
SELECT guild_no, day, source,
  deposit_count, deposit_upper >> 26, ((deposit_upper & 67108863) << 26) + deposit_lower,
  withdrawal_count, withdrawal_upper >> 26, ((withdrawal_upper & 67108863) << 26) + withdrawal_lower
FROM summed;
