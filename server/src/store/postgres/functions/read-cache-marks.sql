-- Reads what validates an instance's caches, for any number of requests at once: of each guild the number of its log's last
-- entry, which every change of its records increments in its commit, and of each account its number, its length and how much of it is archived. Guild 0 is
-- the log of changes that belong to no guild. Planner settings and order as in lock_ledgers.
CREATE OR REPLACE FUNCTION read_cache_marks(
  log_guilds bigint[],
  account_guilds bigint[],
  player_ids text[],
  OUT entry_nos bigint[],
  OUT account_nos bigint[],
  OUT counts bigint[],
  OUT archived_counts bigint[]
) LANGUAGE plpgsql STABLE
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
  IF cardinality(log_guilds) > 0 THEN
    SELECT array_agg(coalesce(log.last_entry_no, 0) ORDER BY wanted.place) INTO entry_nos
    FROM unnest(log_guilds) WITH ORDINALITY AS wanted (guild_no, place)
    LEFT JOIN LATERAL (SELECT c.last_entry_no FROM audit_counter c WHERE c.guild_no = wanted.guild_no OFFSET 0) AS log
      ON true;
  END IF;
  IF cardinality(player_ids) > 0 THEN
    SELECT array_agg(found.account_no), array_agg(found.transaction_count), array_agg(found.archived_count)
    INTO account_nos, counts, archived_counts
    FROM (
      SELECT held.* FROM unnest(account_guilds, player_ids) WITH ORDINALITY AS wanted (guild_no, player_id, place)
      LEFT JOIN LATERAL (
        SELECT * FROM (
          SELECT o.player_id, o.account_no, o.transaction_count, o.archived_count FROM account o
          WHERE o.guild_no = wanted.guild_no AND o.player_id >= wanted.player_id COLLATE "C"
          ORDER BY o.player_id LIMIT 1
        ) AS next WHERE next.player_id = wanted.player_id COLLATE "C"
      ) AS held ON true
      ORDER BY wanted.place
    ) AS found;
  END IF;
END $$;
