-- Returns the first seq of an account whose time is not before `at`, or the one after its last. Creation times never decrease
-- along seq, so that a binary search over the primary key finds it and no index on times is needed. On a distributed store it
-- exists on every machine, and runs on the one that has the guild's rows.
CREATE OR REPLACE FUNCTION first_not_before(the_guild_no bigint, the_account_no bigint, count bigint, at bigint)
RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  low bigint := 1;
  high bigint := count + 1;
  middle bigint;
  time bigint;
BEGIN
  WHILE low < high LOOP
    middle := (low + high) / 2;
    SELECT t.created_at INTO time FROM ledger_transaction t
    WHERE t.guild_no = the_guild_no AND t.account_no = the_account_no AND t.seq = middle;
    -- A seq without a row is archived, hence older than every row.
    IF NOT FOUND OR time < at THEN
      low := middle + 1;
    ELSE
      high := middle;
    END IF;
  END LOOP;
  RETURN low;
END $$;
