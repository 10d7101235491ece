-- The last three columns are what pages sort and search by: the time in milliseconds, the name in lower case, and all fields
-- that can be searched as one text.
CREATE TABLE discharge (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  discharge_id TEXT NOT NULL,
  chat_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  reason TEXT NOT NULL,
  date TEXT NOT NULL,
  type TEXT NOT NULL,
  origin TEXT NOT NULL,
  signed TEXT NOT NULL,
  date_at INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  search_text TEXT NOT NULL,
  PRIMARY KEY (guild_no, discharge_id)
) STRICT, WITHOUT ROWID;
-- Each order ends in the id, which makes it total. The columns behind the id are those that filters read, so that a search
-- reads the index alone: fetching each row takes ten times as long.
CREATE INDEX discharge_by_date ON discharge (guild_no, date_at, discharge_id, type, search_text);
CREATE INDEX discharge_by_name ON discharge (guild_no, name_key, discharge_id, date_at, type, search_text);
CREATE INDEX discharge_by_type ON discharge (guild_no, type, date_at, discharge_id);
CREATE INDEX discharge_by_player ON discharge (guild_no, player_id);

CREATE TABLE transfer (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  transfer_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  date INTEGER NOT NULL,
  origin TEXT NOT NULL,
  target TEXT NOT NULL,
  signed TEXT NOT NULL,
  name_key TEXT NOT NULL,
  search_text TEXT NOT NULL,
  PRIMARY KEY (guild_no, transfer_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX transfer_by_date ON transfer (guild_no, date, transfer_id, search_text);
CREATE INDEX transfer_by_name ON transfer (guild_no, name_key, transfer_id, date, search_text);
CREATE INDEX transfer_by_player ON transfer (guild_no, player_id);

-- A person is known across guilds. name_key is the user name in lower case, for look-ups without regard to case.
CREATE TABLE verification (
  chat_id TEXT NOT NULL PRIMARY KEY,
  player_id TEXT NOT NULL,
  username TEXT NOT NULL,
  name_key TEXT NOT NULL,
  verified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX verification_by_name ON verification (name_key);
-- With the columns that choose between several holders of a game account, see people/holder-sql.ts: nothing is sorted.
CREATE INDEX verification_by_player ON verification (player_id, verified_at, chat_id);

-- A person's past accounts outlive the verification: when a game account moves to somebody else, its former holder keeps
-- the history and gets it back with the next verification.
CREATE TABLE past_user (
  chat_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  username TEXT NOT NULL,
  name_key TEXT NOT NULL,
  PRIMARY KEY (chat_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX past_user_by_player ON past_user (player_id);
CREATE INDEX past_user_by_name ON past_user (name_key);

-- People who signed in to the dashboard. They outlive their sessions, because keys name their makers.
CREATE TABLE chat_user (
  chat_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  avatar TEXT
) STRICT, WITHOUT ROWID;

-- A person's settings of the dashboard as a small JSON object: time zone, columns, saved views.
CREATE TABLE person_preference (
  chat_id TEXT PRIMARY KEY,
  preferences TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Has only the SHA-256 of a session's token, and the platform's tokens are encrypted: nobody can sign in with this table.
CREATE TABLE session (
  session_no INTEGER PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  chat_id TEXT NOT NULL REFERENCES chat_user (chat_id),
  guilds TEXT NOT NULL,
  sealed_tokens TEXT NOT NULL,
  tokens_expire_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_by_user ON session (chat_id, session_no);
CREATE INDEX session_by_expiry ON session (expires_at);

-- Sign-ins under way. AUTOINCREMENT never uses a number twice, so that the oldest have the lowest.
CREATE TABLE sign_in_attempt (
  attempt_no INTEGER PRIMARY KEY AUTOINCREMENT,
  state_hash TEXT NOT NULL UNIQUE,
  browser_hash TEXT NOT NULL,
  sealed_verifier TEXT NOT NULL,
  return_to TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_attempt_by_expiry ON sign_in_attempt (expires_at);

CREATE TABLE command (
  position INTEGER PRIMARY KEY,
  category TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  extended_help TEXT NOT NULL,
  preconditions TEXT NOT NULL
) STRICT;
