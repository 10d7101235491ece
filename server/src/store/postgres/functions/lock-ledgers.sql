-- Locks the ledgers of guilds until the end of the transaction, in the order given, which ascends. Returns for each whether it
-- is locked. With `waits` all guilds that exist are locked; a guild without a row in guild_ledger gets one. Otherwise guilds that
-- another transaction has locked, and those without a row, are left out.
--
-- A connection keeps the plans of a function for its life, also those made while the tables were empty. post_transactions and
-- the functions that it calls make plans that are right for any contents: each look-up is lateral and uses one index; where
-- several indexes begin alike, the ORDER BY leaves one of them; and each function sets the planner's settings itself, which
-- also keeps it from planning again at each call. A session behind a pooler has no settings of its own.
CREATE OR REPLACE FUNCTION lock_ledgers(guild_nos bigint[], waits boolean) RETURNS boolean[] LANGUAGE plpgsql
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
  locked boolean[];
BEGIN
  IF NOT waits THEN
    SELECT array_agg(held.guild_no IS NOT NULL ORDER BY wanted.place) INTO locked
    FROM unnest(guild_nos) WITH ORDINALITY AS wanted (guild_no, place)
    LEFT JOIN LATERAL (SELECT l.guild_no FROM guild_ledger l WHERE l.guild_no = wanted.guild_no
      FOR NO KEY UPDATE SKIP LOCKED) AS held ON true;
    RETURN locked;
  END IF;
  FOR attempt IN 1 .. 2 LOOP
    SELECT array_agg(held.guild_no IS NOT NULL ORDER BY wanted.place) INTO locked
    FROM unnest(guild_nos) WITH ORDINALITY AS wanted (guild_no, place)
    LEFT JOIN LATERAL (SELECT l.guild_no FROM guild_ledger l WHERE l.guild_no = wanted.guild_no
      FOR NO KEY UPDATE) AS held ON true;
    EXIT WHEN NOT false = ANY (locked);
    INSERT INTO guild_ledger (guild_no)
    SELECT known.guild_no FROM unnest(guild_nos) AS wanted (guild_no)
    CROSS JOIN LATERAL (SELECT g.guild_no FROM guild g WHERE g.guild_no = wanted.guild_no OFFSET 0) AS known
    ORDER BY known.guild_no ON CONFLICT (guild_no) DO NOTHING;
  END LOOP;
  RETURN locked;
END $$;
