-- Adds transactions that were just inserted to the sums of their days. A transaction without a seq was not inserted.
-- Belongs into their commit, behind everything else that waits for locks; days and sources are taken in order.
CREATE FUNCTION add_daily_sums(
  the_guild_no bigint,
  seqs bigint[],
  totals bigint[],
  sources text[],
  created_ats bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sources_max CONSTANT bigint := 100;
  day_ms CONSTANT bigint := 86400000;
BEGIN
  -- Division rounds towards zero, so that times before 1970 need the remainder taken away first.
  INSERT INTO guild_day AS known (guild_no, day, accounts_opened, deposit_count, deposit_units, withdrawal_count,
    withdrawal_units)
  SELECT the_guild_no, (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day,
    count(*) FILTER (WHERE r.seq = 1),
    count(*) FILTER (WHERE r.total > 0), coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0),
    count(*) FILTER (WHERE r.total < 0), coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0)
  FROM unnest(seqs, totals, created_ats) AS r (seq, total, at)
  WHERE r.seq IS NOT NULL GROUP BY 2 ORDER BY 2
  ON CONFLICT (guild_no, day) DO UPDATE SET
    accounts_opened = known.accounts_opened + excluded.accounts_opened,
    deposit_count = known.deposit_count + excluded.deposit_count,
    deposit_units = known.deposit_units + excluded.deposit_units,
    withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
    withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;

  -- The day's row is ours from here on, so that nobody else gives a source its place meanwhile. A source has a row of
  -- its own when it has one already or when there is room; otherwise it shares the last one.
  INSERT INTO guild_day_source AS known (guild_no, day, source, deposit_count, deposit_units, withdrawal_count,
    withdrawal_units)
  SELECT the_guild_no, placed.day, placed.name COLLATE "C", sum(placed.deposit_count), sum(placed.deposit_units),
    sum(placed.withdrawal_count), sum(placed.withdrawal_units)
  FROM (
    SELECT moved.*, CASE
        WHEN moved.is_known THEN moved.source
        WHEN row_number() OVER (PARTITION BY moved.day, moved.is_known ORDER BY moved.first)
          + (SELECT count(*) FROM guild_day_source n
             WHERE n.guild_no = the_guild_no AND n.day = moved.day AND n.source <> '') <= sources_max
          THEN moved.source
        ELSE ''
      END AS name
    FROM (
      SELECT summed.*, EXISTS (SELECT 1 FROM guild_day_source k WHERE k.guild_no = the_guild_no
          AND k.day = summed.day AND k.source = summed.source) AS is_known
      FROM (
        SELECT (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day, r.source COLLATE "C" AS source,
          min(r.place) AS first,
          count(*) FILTER (WHERE r.total > 0) AS deposit_count,
          coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0) AS deposit_units,
          count(*) FILTER (WHERE r.total < 0) AS withdrawal_count,
          coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0) AS withdrawal_units
        FROM unnest(seqs, totals, sources, created_ats) WITH ORDINALITY AS r (seq, total, source, at, place)
        WHERE r.seq IS NOT NULL GROUP BY 1, 2
      ) AS summed
    ) AS moved
  ) AS placed
  GROUP BY placed.day, placed.name COLLATE "C" ORDER BY placed.day, placed.name COLLATE "C"
  ON CONFLICT (guild_no, day, source) DO UPDATE SET
    deposit_count = known.deposit_count + excluded.deposit_count,
    deposit_units = known.deposit_units + excluded.deposit_units,
    withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
    withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;
END $$;
