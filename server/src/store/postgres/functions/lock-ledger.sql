-- Locks one guild's ledger until the end of the transaction and returns its last number. Returns NULL when another transaction
-- has locked it and the caller does not wait, or when there is no such guild. A guild without a row in guild_ledger gets one.
CREATE OR REPLACE FUNCTION lock_ledger(the_guild_no bigint, waits boolean) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  last bigint;
BEGIN
  IF NOT waits THEN
    SELECT l.last_number INTO last FROM guild_ledger l WHERE l.guild_no = the_guild_no FOR NO KEY UPDATE SKIP LOCKED;
    RETURN last;
  END IF;
  SELECT l.last_number INTO last FROM guild_ledger l WHERE l.guild_no = the_guild_no FOR NO KEY UPDATE;
  IF last IS NULL AND EXISTS (SELECT 1 FROM guild g WHERE g.guild_no = the_guild_no) THEN
    INSERT INTO guild_ledger (guild_no) VALUES (the_guild_no) ON CONFLICT (guild_no) DO NOTHING;
    SELECT l.last_number INTO last FROM guild_ledger l WHERE l.guild_no = the_guild_no FOR NO KEY UPDATE;
  END IF;
  RETURN last;
END $$;
