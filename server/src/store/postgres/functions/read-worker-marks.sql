-- Like read_cache_marks, on a worker of a distributed store that has all of these guilds. Each statement compares the guild with one
-- value, so that it runs there, with a plan that Citus keeps.
CREATE OR REPLACE FUNCTION read_worker_marks(
  log_guilds bigint[],
  account_guilds bigint[],
  player_ids text[],
  OUT entry_nos bigint[],
  OUT account_nos bigint[],
  OUT counts bigint[],
  OUT archived_counts bigint[]
) LANGUAGE plpgsql STABLE AS $$
DECLARE
  the_guild_no bigint;
  the_player_id text;
  entry_no bigint;
  the_account_no bigint;
  transactions bigint;
  archived bigint;
BEGIN
  FOR place IN 1 .. cardinality(log_guilds) LOOP
    the_guild_no := log_guilds[place];
    SELECT c.last_entry_no INTO entry_no FROM audit_counter c WHERE c.guild_no = the_guild_no;
    entry_nos[place] := coalesce(entry_no, 0);
  END LOOP;
  FOR place IN 1 .. cardinality(player_ids) LOOP
    the_guild_no := account_guilds[place];
    the_player_id := player_ids[place];
    SELECT a.account_no, a.transaction_count, a.archived_count INTO the_account_no, transactions, archived FROM account a
    WHERE a.guild_no = the_guild_no AND a.player_id = the_player_id COLLATE "C";
    account_nos[place] := the_account_no;
    counts[place] := transactions;
    archived_counts[place] := archived;
  END LOOP;
END $$;
