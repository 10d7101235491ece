-- The request that belongs to the key of a batch. Its transactions have keys of their own, which do not show what else it had.
CREATE TABLE batch_request (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  batch_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  PRIMARY KEY (guild_no, batch_key)
) STRICT, WITHOUT ROWID;
