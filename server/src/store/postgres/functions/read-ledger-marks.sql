-- Reads what validates cached answers about guilds' ledgers: of each guild the number of its last transaction, of its log's
-- last entry and of its last archived transaction, as one text. All are read in one snapshot. Planner settings and order as in lock_ledgers.
CREATE OR REPLACE FUNCTION read_ledger_marks(guild_nos bigint[]) RETURNS text[] LANGUAGE plpgsql STABLE
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
SET enable_bitmapscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
SET enable_sort = off
SET enable_incremental_sort = off
SET jit = off
AS $$
BEGIN
  RETURN (
    SELECT array_agg(coalesce(ledger.last_number, 0) || ' ' || coalesce(log.last_entry_no, 0) || ' '
      || coalesce(ledger.archived_number, 0) ORDER BY wanted.place)
    FROM unnest(guild_nos) WITH ORDINALITY AS wanted (guild_no, place)
    LEFT JOIN LATERAL (SELECT l.last_number, l.archived_number FROM guild_ledger l WHERE l.guild_no = wanted.guild_no OFFSET 0) AS ledger
      ON true
    LEFT JOIN LATERAL (SELECT c.last_entry_no FROM audit_counter c WHERE c.guild_no = wanted.guild_no OFFSET 0) AS log
      ON true
  );
END $$;
