-- Until when all requests of the key are kept; NULL when only the refused ones are.
ALTER TABLE api_key ADD COLUMN keeps_all_until bigint;
-- The last hour whose refusals are in the audit log.
ALTER TABLE api_key ADD COLUMN refusals_noted_hour bigint;

-- The number of answers to a key in an hour, by route and code of the refusal; 'ok' is no refusal.
CREATE TABLE key_hour (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  key_no bigint NOT NULL,
  hour bigint NOT NULL,
  route text COLLATE "C" NOT NULL,
  code text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (guild_no, key_no, hour, route, code)
) WITH (fillfactor = 70);

-- The last requests of a key: the refused ones (with a code), and for a while all of them (is_of_all = 1).
CREATE TABLE key_request (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  key_no bigint NOT NULL,
  at bigint NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  method text COLLATE "C" NOT NULL,
  route text COLLATE "C" NOT NULL,
  path text COLLATE "C" NOT NULL,
  status bigint NOT NULL,
  code text COLLATE "C",
  message text COLLATE "C",
  duration_ms bigint NOT NULL,
  address text COLLATE "C" NOT NULL,
  user_agent text COLLATE "C" NOT NULL,
  is_of_all bigint NOT NULL,
  PRIMARY KEY (guild_no, key_no, at, request_id)
);
CREATE INDEX key_request_by_time ON key_request (guild_no, at);
