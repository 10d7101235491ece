-- People who signed in to the dashboard. They outlive their sessions, because keys name their makers.
CREATE TABLE chat_user (
  chat_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  avatar TEXT
) STRICT, WITHOUT ROWID;

-- Only the SHA-256 of a session's token is here, and the platform's tokens are encrypted: this table opens nothing.
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

-- Sign-ins under way. AUTOINCREMENT, so that numbers never come again and the oldest are those with the lowest.
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
