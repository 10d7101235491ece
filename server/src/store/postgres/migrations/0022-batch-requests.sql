-- The request that belongs to the key of a batch. Its transactions have keys of their own, which do not show what else it had.
CREATE TABLE batch_request (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  batch_key text COLLATE "C" NOT NULL,
  request_hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (guild_no, batch_key)
);
