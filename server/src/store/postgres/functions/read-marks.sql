-- The same as read_cache_marks, for instances of version 0.2 that still run during an upgrade.
CREATE OR REPLACE FUNCTION read_marks(
  log_guilds bigint[],
  account_guilds bigint[],
  player_ids text[],
  OUT entry_nos bigint[],
  OUT account_nos bigint[],
  OUT counts bigint[]
) LANGUAGE plpgsql STABLE AS $$
BEGIN
  SELECT m.entry_nos, m.account_nos, m.counts INTO entry_nos, account_nos, counts
  FROM read_cache_marks(log_guilds, account_guilds, player_ids) AS m;
END $$;
