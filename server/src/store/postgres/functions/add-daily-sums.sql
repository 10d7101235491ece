-- Like add_ledger_sums, for one guild and one row of sums at a time. Imports and append_guild_transactions call it. Each
-- statement compares the guild with one value, so that on a distributed store it runs on the machine that has the guild's
-- rows. A source has a row of its own when it has one already or when there is room; otherwise it shares the one of the empty
-- name.
CREATE OR REPLACE FUNCTION add_daily_sums(
  the_guild_no bigint, seqs bigint[], totals bigint[], sources text[], created_ats bigint[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  sources_max CONSTANT bigint := 100;
  day_ms CONSTANT bigint := 86400000;
  sums record;
  place text;
BEGIN
  -- Division rounds towards zero, so that times before 1970 need the remainder taken away first.
  FOR sums IN
    SELECT (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day, count(*) FILTER (WHERE r.seq = 1) AS opened,
      count(*) FILTER (WHERE r.total > 0) AS deposits, coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0) AS deposited,
      count(*) FILTER (WHERE r.total < 0) AS withdrawals, coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0) AS withdrawn
    FROM unnest(seqs, totals, created_ats) AS r (seq, total, at) WHERE r.seq IS NOT NULL GROUP BY 1 ORDER BY 1
  LOOP
    INSERT INTO guild_day AS known (guild_no, day, accounts_opened, deposit_count, deposit_units, withdrawal_count,
      withdrawal_units)
    VALUES (the_guild_no, sums.day, sums.opened, sums.deposits, sums.deposited, sums.withdrawals, sums.withdrawn)
    ON CONFLICT (guild_no, day) DO UPDATE SET
      accounts_opened = known.accounts_opened + excluded.accounts_opened,
      deposit_count = known.deposit_count + excluded.deposit_count,
      deposit_units = known.deposit_units + excluded.deposit_units,
      withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
      withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;
  END LOOP;

  -- The ledger is locked, so that no other transaction adds a source to the day meanwhile.
  FOR sums IN
    SELECT (r.at - ((r.at % day_ms) + day_ms) % day_ms) / day_ms AS day, r.source COLLATE "C" AS source,
      count(*) FILTER (WHERE r.total > 0) AS deposits, coalesce(sum(r.total) FILTER (WHERE r.total > 0), 0) AS deposited,
      count(*) FILTER (WHERE r.total < 0) AS withdrawals, coalesce(-sum(r.total) FILTER (WHERE r.total < 0), 0) AS withdrawn
    FROM unnest(seqs, totals, sources, created_ats) WITH ORDINALITY AS r (seq, total, source, at, place)
    WHERE r.seq IS NOT NULL GROUP BY 1, 2 ORDER BY 1, min(r.place)
  LOOP
    UPDATE guild_day_source AS known SET
      deposit_count = known.deposit_count + sums.deposits, deposit_units = known.deposit_units + sums.deposited,
      withdrawal_count = known.withdrawal_count + sums.withdrawals,
      withdrawal_units = known.withdrawal_units + sums.withdrawn
    WHERE known.guild_no = the_guild_no AND known.day = sums.day AND known.source = sums.source;
    IF NOT FOUND THEN
      SELECT CASE WHEN count(*) < sources_max THEN sums.source ELSE '' END INTO place FROM guild_day_source AS taken
      WHERE taken.guild_no = the_guild_no AND taken.day = sums.day AND taken.source > '';
      INSERT INTO guild_day_source AS known (guild_no, day, source, deposit_count, deposit_units, withdrawal_count,
        withdrawal_units)
      VALUES (the_guild_no, sums.day, place, sums.deposits, sums.deposited, sums.withdrawals, sums.withdrawn)
      ON CONFLICT (guild_no, day, source) DO UPDATE SET
        deposit_count = known.deposit_count + excluded.deposit_count,
        deposit_units = known.deposit_units + excluded.deposit_units,
        withdrawal_count = known.withdrawal_count + excluded.withdrawal_count,
        withdrawal_units = known.withdrawal_units + excluded.withdrawal_units;
    END IF;
  END LOOP;
END $$;
