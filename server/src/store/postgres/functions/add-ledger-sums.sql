-- Adds transactions that were just inserted to the sums of their days. A transaction without a seq was not inserted. Call it at
-- the end of the transaction that inserts them. Guilds, days and sources are taken in order. Planner settings as in
-- lock_ledgers.
CREATE OR REPLACE FUNCTION add_ledger_sums(
  guild_nos bigint[],
  seqs bigint[],
  totals bigint[],
  sources text[],
  created_ats bigint[]
) RETURNS void LANGUAGE plpgsql
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_sort = off
SET enable_incremental_sort = off
SET jit = off
AS $$
DECLARE
  sources_max CONSTANT bigint := 100;
  day_ms CONSTANT bigint := 86400000;
BEGIN
  -- Division rounds towards zero, so that times before 1970 need the remainder taken away first.
  INSERT INTO guild_day AS known (guild_no, day, accounts_opened, deposit_count, deposit_units, withdrawal_count,
    withdrawal_units)
  SELECT r.guild_no, (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day,
    count(*) FILTER (WHERE r.seq = 1),
    count(*) FILTER (WHERE r.total > 0), coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0),
    count(*) FILTER (WHERE r.total < 0), coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0)
  FROM unnest(guild_nos, seqs, totals, created_ats) AS r (guild_no, seq, total, at)
  WHERE r.seq IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (guild_no, day) DO UPDATE SET
    accounts_opened = known.accounts_opened + excluded.accounts_opened,
    deposit_count = known.deposit_count + excluded.deposit_count,
    deposit_units = known.deposit_units + excluded.deposit_units,
    withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
    withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;

  -- The day's row is locked from here on, so that no other transaction adds a source to the day meanwhile. A source has
  -- a row of its own when it has one already or when there is room; otherwise it shares the last one.
  INSERT INTO guild_day_source AS known (guild_no, day, source, deposit_count, deposit_units, withdrawal_count,
    withdrawal_units)
  SELECT placed.guild_no, placed.day, placed.name COLLATE "C", sum(placed.deposit_count), sum(placed.deposit_units),
    sum(placed.withdrawal_count), sum(placed.withdrawal_units)
  FROM (
    SELECT moved.*, CASE
        WHEN moved.is_known THEN moved.source
        WHEN row_number() OVER (PARTITION BY moved.guild_no, moved.day, moved.is_known ORDER BY moved.first)
          + (SELECT count(*) FROM guild_day_source n
             WHERE n.guild_no = moved.guild_no AND n.day = moved.day AND n.source > '') <= sources_max
          THEN moved.source
        ELSE ''
      END AS name
    FROM (
      SELECT summed.*, present.source IS NOT NULL AS is_known
      FROM (
        SELECT r.guild_no, (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day, r.source COLLATE "C" AS source,
          min(r.place) AS first,
          count(*) FILTER (WHERE r.total > 0) AS deposit_count,
          coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0) AS deposit_units,
          count(*) FILTER (WHERE r.total < 0) AS withdrawal_count,
          coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0) AS withdrawal_units
        FROM unnest(guild_nos, seqs, totals, sources, created_ats) WITH ORDINALITY
          AS r (guild_no, seq, total, source, at, place)
        WHERE r.seq IS NOT NULL GROUP BY 1, 2, 3
      ) AS summed
      LEFT JOIN LATERAL (SELECT k.source FROM guild_day_source k WHERE k.guild_no = summed.guild_no
        AND k.day = summed.day AND k.source = summed.source OFFSET 0) AS present ON true
    ) AS moved
  ) AS placed
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (guild_no, day, source) DO UPDATE SET
    deposit_count = known.deposit_count + excluded.deposit_count,
    deposit_units = known.deposit_units + excluded.deposit_units,
    withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
    withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;
END $$;
