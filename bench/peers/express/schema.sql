CREATE TABLE api_key (hash BLOB PRIMARY KEY, guild_id TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE discharge (
  guild_id TEXT NOT NULL,
  id TEXT NOT NULL,
  chat_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  reason TEXT NOT NULL,
  date TEXT NOT NULL,
  type TEXT NOT NULL,
  origin TEXT NOT NULL,
  signed TEXT NOT NULL,
  PRIMARY KEY (guild_id, id)
) WITHOUT ROWID;

-- Amounts, totals and balances are whole numbers of ten-thousandths.
CREATE TABLE account (
  guild_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  balance INTEGER NOT NULL,
  transaction_count INTEGER NOT NULL,
  PRIMARY KEY (guild_id, player_id)
) WITHOUT ROWID;

CREATE TABLE ledger_transaction (
  id TEXT PRIMARY KEY,
  guild_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  amount INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  name TEXT NOT NULL,
  source TEXT NOT NULL,
  total INTEGER NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX transaction_of_player ON ledger_transaction (guild_id, player_id, created_at);
