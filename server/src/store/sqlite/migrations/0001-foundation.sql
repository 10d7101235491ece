-- Times are milliseconds since 1970, money is counted in ten-thousandths. Guild-owned tables lead with the
-- guild's number, and the large ones hold numbers instead of the long text ids.

CREATE TABLE guild (
  guild_no INTEGER PRIMARY KEY,
  guild_id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  plan TEXT NOT NULL CHECK (plan IN ('none', 'developer', 'enterprise')),
  plan_until INTEGER,
  overdraft_allowed INTEGER NOT NULL CHECK (overdraft_allowed IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;

-- A deleted key loses its hash but keeps its row, because transactions name the key that posted them.
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
  CHECK ((hash IS NULL) = (deleted_at IS NOT NULL))
) STRICT;
CREATE INDEX api_key_by_guild ON api_key (guild_no, created_at);

CREATE TABLE account (
  account_no INTEGER PRIMARY KEY,
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  player_id TEXT NOT NULL,
  balance INTEGER NOT NULL,
  transaction_count INTEGER NOT NULL CHECK (transaction_count >= 0),
  last_created_at INTEGER NOT NULL,
  UNIQUE (guild_no, player_id)
) STRICT;

-- Append-only. seq is dense within an account and created_at never decreases along it, so the primary key
-- serves the order by creation time as well; each other order has an index that ends in seq, which makes it total.
CREATE TABLE ledger_transaction (
  guild_no INTEGER NOT NULL,
  account_no INTEGER NOT NULL REFERENCES account (account_no),
  seq INTEGER NOT NULL CHECK (seq >= 1),
  transaction_id TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  quantity INTEGER NOT NULL CHECK (quantity >= 1),
  total INTEGER NOT NULL CHECK (total = amount * quantity),
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  balance_after INTEGER NOT NULL,
  key_no INTEGER,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (guild_no, account_no, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_by_amount ON ledger_transaction (guild_no, account_no, amount, seq);
CREATE INDEX ledger_by_quantity ON ledger_transaction (guild_no, account_no, quantity, seq);
CREATE INDEX ledger_by_total ON ledger_transaction (guild_no, account_no, total, seq);

-- The outcome of a post is its transaction, so a key points there instead of holding a copy.
CREATE TABLE idempotency (
  guild_no INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  account_no INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (guild_no, idempotency_key),
  FOREIGN KEY (guild_no, account_no, seq) REFERENCES ledger_transaction (guild_no, account_no, seq)
) STRICT, WITHOUT ROWID;

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
  PRIMARY KEY (guild_no, discharge_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfer (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  transfer_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  date INTEGER NOT NULL,
  origin TEXT NOT NULL,
  target TEXT NOT NULL,
  signed TEXT NOT NULL,
  PRIMARY KEY (guild_no, transfer_id)
) STRICT, WITHOUT ROWID;

-- A person is known across guilds. name_key is the user name in lower case, for look-ups without regard to case.
CREATE TABLE verification (
  chat_id TEXT NOT NULL PRIMARY KEY,
  player_id TEXT NOT NULL,
  username TEXT NOT NULL,
  name_key TEXT NOT NULL,
  verified_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX verification_by_player ON verification (player_id);
CREATE INDEX verification_by_name ON verification (name_key);

CREATE TABLE past_user (
  chat_id TEXT NOT NULL REFERENCES verification (chat_id),
  position INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  username TEXT NOT NULL,
  name_key TEXT NOT NULL,
  PRIMARY KEY (chat_id, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX past_user_by_player ON past_user (player_id);
CREATE INDEX past_user_by_name ON past_user (name_key);

CREATE TABLE command (
  position INTEGER PRIMARY KEY,
  category TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  extended_help TEXT NOT NULL,
  preconditions TEXT NOT NULL
) STRICT;

-- A counter for each part of the store that processes keep in memory. Every change to such a part moves its
-- counter in the same commit, so that one small read tells whether a copy still holds.
CREATE TABLE revision (
  part TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO revision (part, value) VALUES ('keys', 1), ('commands', 1);
