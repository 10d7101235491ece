-- Until when all requests of the key are kept; NULL when only the refused ones are.
ALTER TABLE api_key ADD COLUMN keeps_all_until INTEGER;
-- The last hour whose refusals are in the audit log.
ALTER TABLE api_key ADD COLUMN refusals_noted_hour INTEGER;

-- The number of answers to a key in an hour, by route and code of the refusal; 'ok' is no refusal.
CREATE TABLE key_hour (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  key_no INTEGER NOT NULL,
  hour INTEGER NOT NULL,
  route TEXT NOT NULL,
  code TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (guild_no, key_no, hour, route, code)
) STRICT, WITHOUT ROWID;

-- The last requests of a key: the refused ones (with a code), and for a while all of them (is_of_all = 1).
CREATE TABLE key_request (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  key_no INTEGER NOT NULL,
  at INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  method TEXT NOT NULL,
  route TEXT NOT NULL,
  path TEXT NOT NULL,
  status INTEGER NOT NULL,
  code TEXT,
  message TEXT,
  duration_ms INTEGER NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  is_of_all INTEGER NOT NULL,
  PRIMARY KEY (guild_no, key_no, at, request_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_request_by_time ON key_request (guild_no, at);
