-- The schema of the embedded store as it is now. A new store is made from the files of this folder, in their order; an older one
-- gets the same schema by the steps in migrations/. A change of the schema is made here and as a step, and a test compares the
-- two results.
--
-- Times are milliseconds since 1970, days are days since 1970 in UTC, and money is counted in ten-thousandths. The tables of a
-- guild begin with the guild's number, and the large ones have numbers instead of long text ids. Columns are in the order in
-- which an older store has them: those that came later are at the end.

-- currency_name, currency_symbol and decimals_shown say how amounts are shown; NULL is the usual way. time_zone is the calendar of
-- the guild's days; NULL is UTC. With seal_public everybody may read the checkpoints and hashes of its sealed log. With
-- own_accounts verified members may see their own account in the dashboard. language is that of its channel messages, board and
-- chat replies; NULL is English.
CREATE TABLE guild (
  guild_no INTEGER PRIMARY KEY,
  guild_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('none', 'developer', 'enterprise')),
  plan_until INTEGER,
  overdraft_allowed INTEGER NOT NULL CHECK (overdraft_allowed IN (0, 1)),
  created_at INTEGER NOT NULL,
  icon TEXT,
  owner_chat_id TEXT,
  currency_name TEXT,
  currency_symbol TEXT,
  decimals_shown INTEGER CHECK (decimals_shown BETWEEN 0 AND 4),
  time_zone TEXT,
  seal_public INTEGER NOT NULL DEFAULT 0 CHECK (seal_public IN (0, 1)),
  own_accounts INTEGER NOT NULL DEFAULT 1 CHECK (own_accounts IN (0, 1)),
  language TEXT
) STRICT;

-- Chat roles and single people with a role in a guild's dashboard, beside those who manage the guild on the chat platform.
CREATE TABLE guild_chat_role (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  chat_role_id TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  PRIMARY KEY (guild_no, chat_role_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE guild_person (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  chat_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  invited_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (guild_no, chat_id)
) STRICT, WITHOUT ROWID;

-- Links that give a role to people who open them. Only the hash of a link's token is stored.
CREATE TABLE guild_invitation (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  invitation_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  uses_left INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (guild_no, invitation_id),
  UNIQUE (guild_no, token_hash)
) STRICT, WITHOUT ROWID;

-- A deleted key loses its hash but keeps its row, because transactions name the key that posted them.
-- networks lists where it may be used from, separated by spaces; NULL is anywhere.
-- route_limits lists limits of single routes, such as `getVerification=60/minute`, separated by spaces; NULL is none.
CREATE TABLE api_key (
  key_no INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL UNIQUE,
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  hash TEXT UNIQUE,
  prefix TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER,
  deleted_at INTEGER,
  note TEXT,
  networks TEXT,
  route_limits TEXT,
  keeps_all_until INTEGER,
  refusals_noted_hour INTEGER,
  CHECK ((hash IS NULL) = (deleted_at IS NOT NULL))
) STRICT;
CREATE INDEX api_key_by_guild ON api_key (guild_no, created_at);

-- Values that a rotation replaced and that are still valid for some time. api_key has the present value.
CREATE TABLE former_key (
  hash TEXT NOT NULL PRIMARY KEY,
  key_no INTEGER NOT NULL REFERENCES api_key (key_no),
  valid_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX former_key_by_key ON former_key (key_no, valid_until);

-- Limits of a key, and how much it withdrew on `day`, the last day on which it withdrew. Only limited keys have a row. It
-- changes in the commits of the key's transactions.
CREATE TABLE key_limit (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  key_no INTEGER NOT NULL,
  amount_max INTEGER,
  withdrawn_per_day_max INTEGER,
  day INTEGER NOT NULL,
  withdrawn INTEGER NOT NULL,
  PRIMARY KEY (guild_no, key_no)
) STRICT, WITHOUT ROWID;

-- The number of answers to a key on a day, by the code of the refusal; 'ok' is no refusal. Versions up to 0.2 write it.
CREATE TABLE key_usage (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  key_no INTEGER NOT NULL,
  day INTEGER NOT NULL,
  code TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (guild_no, key_no, day, code)
) STRICT, WITHOUT ROWID;

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
