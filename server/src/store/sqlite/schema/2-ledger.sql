-- The number of the guild's last transaction. Those up to archived_number are in the archive and have no rows here.
CREATE TABLE guild_ledger (
  guild_no INTEGER PRIMARY KEY REFERENCES guild (guild_no),
  last_number INTEGER NOT NULL,
  archived_number INTEGER NOT NULL DEFAULT 0
) STRICT;

-- floor is the lowest balance that a withdrawal may leave; NULL leaves it to the guild's setting.
-- The first archived_count transactions are in the archive; opened_at and archived_at are then the times of the first and
-- the last of them.
CREATE TABLE account (
  account_no INTEGER PRIMARY KEY,
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  player_id TEXT NOT NULL,
  balance INTEGER NOT NULL,
  transaction_count INTEGER NOT NULL CHECK (transaction_count >= 0),
  last_created_at INTEGER NOT NULL,
  floor INTEGER,
  archived_count INTEGER NOT NULL DEFAULT 0,
  opened_at INTEGER,
  archived_at INTEGER,
  UNIQUE (guild_no, player_id)
) STRICT;
-- The largest balances of a guild. SQLite adds account_no to every entry by itself.
CREATE INDEX account_by_balance ON account (guild_no, balance);

-- Append-only. seq has no gaps within an account and created_at never decreases along it, so that the primary key serves the
-- order by creation time as well. number has no gaps within a guild and rises in the order of commits. posted_by is the chat
-- account of the person who posted a correction in the dashboard.
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
  posted_by TEXT,
  number INTEGER,
  PRIMARY KEY (guild_no, account_no, seq)
) STRICT, WITHOUT ROWID;
-- The guild's transactions, newest first. The amount is in the index so that filters by amount fetch no rows.
CREATE INDEX ledger_by_time ON ledger_transaction (guild_no, created_at, account_no, seq, amount);
CREATE UNIQUE INDEX ledger_by_number ON ledger_transaction (guild_no, number);
-- Ids are indexed as their sixteen bytes. The index is not unique: version 0.1 could import one id into two accounts.
CREATE INDEX ledger_by_id ON ledger_transaction (guild_no, unhex(replace(transaction_id, '-', '')));
-- A process of version 0.1 inserts without a number. The next process that draws a number finds these rows here and numbers
-- them. A trigger for it made every insert a third more expensive.
CREATE INDEX ledger_without_number ON ledger_transaction (guild_no, created_at, account_no, seq) WHERE number IS NULL;
-- Most accounts are short, and a query can sort a hundred rows. The indexes by amount, quantity and total leave out the first
-- hundred rows of each account, so that a post to a short account does not write to them. See account-parts.ts. Each ends in
-- seq, which makes its order total.
CREATE INDEX ledger_by_amount ON ledger_transaction (guild_no, account_no, amount, seq) WHERE seq > 100;
CREATE INDEX ledger_by_quantity ON ledger_transaction (guild_no, account_no, quantity, seq) WHERE seq > 100;
CREATE INDEX ledger_by_total ON ledger_transaction (guild_no, account_no, total, seq) WHERE seq > 100;

-- Fields that only some transactions have. metadata is a JSON object with its keys in order; reverses is the number of the
-- transaction that this one takes back. When that one is archived, reverses_id has its id instead.
CREATE TABLE ledger_extra (
  guild_no INTEGER NOT NULL,
  number INTEGER NOT NULL,
  reference TEXT,
  metadata TEXT,
  payment_id TEXT,
  reverses INTEGER,
  reverses_id TEXT,
  PRIMARY KEY (guild_no, number),
  FOREIGN KEY (guild_no, number) REFERENCES ledger_transaction (guild_no, number),
  FOREIGN KEY (guild_no, reverses) REFERENCES ledger_transaction (guild_no, number)
) STRICT, WITHOUT ROWID;
-- No transaction is reversed twice.
CREATE UNIQUE INDEX extra_by_reversed ON ledger_extra (guild_no, reverses) WHERE reverses IS NOT NULL;
CREATE INDEX extra_by_reference ON ledger_extra (guild_no, reference, number) WHERE reference IS NOT NULL;
CREATE INDEX extra_by_payment ON ledger_extra (guild_no, unhex(replace(payment_id, '-', '')))
WHERE payment_id IS NOT NULL;
-- The corrections that people make have the id of the corrected transaction as their only metadata.
CREATE INDEX extra_by_corrected ON ledger_extra (guild_no, metadata) WHERE substr(metadata, 1, 13) = '{"corrects":"';

-- The outcome of a post is its transaction, so that an idempotency key refers to it instead of storing a copy.
CREATE TABLE idempotency (
  guild_no INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  account_no INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (guild_no, idempotency_key),
  FOREIGN KEY (guild_no, account_no, seq) REFERENCES ledger_transaction (guild_no, account_no, seq)
) STRICT, WITHOUT ROWID;

-- The request that belongs to the idempotency key of a batch. Its transactions have keys of their own, but these do not
-- identify the whole request. seen_at is when the daily clean-up first saw the row; NULL until then.
CREATE TABLE batch_request (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  batch_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  seen_at INTEGER,
  PRIMARY KEY (guild_no, batch_key)
) STRICT, WITHOUT ROWID;

-- Sums of a guild's transactions by day, kept in the commits of the transactions. A sum is high * 2^52 + low, because one day
-- of large transactions can outgrow 64 bits. Withdrawals have no sign.
CREATE TABLE guild_day (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  day INTEGER NOT NULL,
  accounts_opened INTEGER NOT NULL,
  deposit_count INTEGER NOT NULL,
  deposit_high INTEGER NOT NULL,
  deposit_low INTEGER NOT NULL CHECK (deposit_low BETWEEN 0 AND 4503599627370495),
  withdrawal_count INTEGER NOT NULL,
  withdrawal_high INTEGER NOT NULL,
  withdrawal_low INTEGER NOT NULL CHECK (withdrawal_low BETWEEN 0 AND 4503599627370495),
  PRIMARY KEY (guild_no, day)
) STRICT, WITHOUT ROWID;

-- The same by source. At most 100 sources of a day have a row of their own. The others share the row of the empty source, a
-- name that no source can have.
CREATE TABLE guild_day_source (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  day INTEGER NOT NULL,
  source TEXT NOT NULL,
  deposit_count INTEGER NOT NULL,
  deposit_high INTEGER NOT NULL,
  deposit_low INTEGER NOT NULL CHECK (deposit_low BETWEEN 0 AND 4503599627370495),
  withdrawal_count INTEGER NOT NULL,
  withdrawal_high INTEGER NOT NULL,
  withdrawal_low INTEGER NOT NULL CHECK (withdrawal_low BETWEEN 0 AND 4503599627370495),
  PRIMARY KEY (guild_no, day, source)
) STRICT, WITHOUT ROWID;

-- The part of each ledger that was written into archive files: the transactions up to through_number, all from before before_at, with
-- their number and sums. Their rows are removed afterwards; guild_ledger says how far.
CREATE TABLE archive (
  guild_no INTEGER PRIMARY KEY REFERENCES guild (guild_no),
  through_number INTEGER NOT NULL,
  before_at INTEGER NOT NULL,
  deposit_count INTEGER NOT NULL,
  deposit_units TEXT NOT NULL,
  withdrawal_count INTEGER NOT NULL,
  withdrawal_units TEXT NOT NULL
) STRICT;

-- The ids of archived transactions, as 32 hexadecimal digits.
CREATE TABLE archived_transaction (
  guild_no INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (guild_no, id)
) STRICT, WITHOUT ROWID;
