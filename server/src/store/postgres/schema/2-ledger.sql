-- Every writer of a guild's ledger locks this row: posts, corrections, imports. Writers of one guild wait for one another here
-- and nowhere else. A guild gets its row when it is made. last_number is the number of its last transaction. A sequence would
-- not do: its numbers are drawn before the commit, so that a higher one could be seen before a lower one. Transactions up to
-- archived_number are in the archive and have no rows here.
CREATE TABLE guild_ledger (
  guild_no bigint NOT NULL PRIMARY KEY,
  last_number bigint NOT NULL DEFAULT 0,
  archived_number bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- floor is the lowest balance that a withdrawal may leave; NULL leaves it to the guild's setting. The first
-- archived_count transactions are in the archive; opened_at and archived_at are then the times of the first and the last of
-- them. ordered_balance is the balance while the account is settled, which gives the account its place in account_by_order, and
-- NULL while it moves often. The balance itself is in no index, so that posts to an account that moves often write no index
-- entries (HOT updates), for which each page has room.
CREATE SEQUENCE account_number;
CREATE TABLE account (
  guild_no bigint NOT NULL,
  account_no bigint NOT NULL,
  player_id text COLLATE "C" NOT NULL,
  balance bigint NOT NULL,
  transaction_count bigint NOT NULL CHECK (transaction_count >= 0),
  last_created_at bigint NOT NULL,
  floor bigint,
  archived_count bigint NOT NULL DEFAULT 0,
  opened_at bigint,
  archived_at bigint,
  ordered_balance bigint,
  PRIMARY KEY (guild_no, account_no),
  UNIQUE (guild_no, player_id),
  CONSTRAINT account_ordered_by_balance CHECK (ordered_balance = balance)
) WITH (fillfactor = 70);
CREATE INDEX account_by_order ON account (guild_no, ordered_balance, account_no);
CREATE TRIGGER account_opens BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION order_account();
CREATE TRIGGER account_moves BEFORE UPDATE OF balance ON account
FOR EACH ROW WHEN (OLD.ordered_balance IS NOT NULL) EXECUTE FUNCTION order_account();
CREATE TRIGGER account_stays BEFORE DELETE OR TRUNCATE OR UPDATE OF guild_no, account_no, player_id ON account
FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();

-- Append-only. seq has no gaps within an account and created_at never decreases along it, so that the primary key serves the
-- order by creation time as well. number has no gaps within a guild and rises in the order of commits. posted_by is the chat
-- account of the person who posted a correction in the dashboard.
CREATE TABLE ledger_transaction (
  guild_no bigint NOT NULL,
  account_no bigint NOT NULL,
  seq bigint NOT NULL CHECK (seq >= 1),
  transaction_id text COLLATE "C" NOT NULL,
  amount bigint NOT NULL CHECK (amount <> 0),
  quantity bigint NOT NULL CHECK (quantity >= 1),
  total bigint NOT NULL CHECK (total = amount * quantity),
  name text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  balance_after bigint NOT NULL,
  key_no bigint,
  created_at bigint NOT NULL,
  posted_by text COLLATE "C",
  number bigint NOT NULL,
  PRIMARY KEY (guild_no, account_no, seq)
);
-- Most accounts are short, and a query can sort a hundred rows. The indexes by amount, quantity and total leave out the first
-- hundred rows of each account, so that a post to a short account does not write to them. See account-parts.ts, also for the
-- `+ 0`. Each ends in seq, which makes its order total.
CREATE INDEX ledger_by_amount ON ledger_transaction (guild_no, account_no, amount, seq) WHERE seq + 0 > 100;
CREATE INDEX ledger_by_quantity ON ledger_transaction (guild_no, account_no, quantity, seq) WHERE seq + 0 > 100;
CREATE INDEX ledger_by_total ON ledger_transaction (guild_no, account_no, total, seq) WHERE seq + 0 > 100;
-- The guild's transactions, newest first. The amount is in the index so that filters by amount fetch no rows.
CREATE INDEX ledger_by_time ON ledger_transaction (guild_no, created_at, account_no, seq, amount);
CREATE UNIQUE INDEX ledger_by_number ON ledger_transaction (guild_no, number);
-- Ids are indexed as their sixteen bytes. The index is not unique: version 0.1 could import one id into two accounts. The id
-- comes first, so that a look-up by guild and another column does not use this index.
CREATE INDEX ledger_by_id ON ledger_transaction
((CASE WHEN length(transaction_id) = 36 THEN transaction_id::uuid END), guild_no);
CREATE TRIGGER transaction_stays BEFORE DELETE OR TRUNCATE OR UPDATE OF guild_no, account_no, seq ON ledger_transaction
FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
CREATE TRIGGER transaction_gets_a_number BEFORE INSERT ON ledger_transaction
FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_transaction();

-- Fields that only some transactions have. metadata is a JSON object with its keys in order; reverses is the number of the
-- transaction that this one takes back. When that one is archived, reverses_id has its id instead.
CREATE TABLE ledger_extra (
  guild_no bigint NOT NULL,
  number bigint NOT NULL,
  reference text COLLATE "C",
  metadata text COLLATE "C",
  payment_id text COLLATE "C",
  reverses bigint,
  reverses_id text COLLATE "C",
  PRIMARY KEY (guild_no, number)
);
-- No transaction is reversed twice.
CREATE UNIQUE INDEX extra_by_reversed ON ledger_extra (guild_no, reverses) WHERE reverses IS NOT NULL;
CREATE INDEX extra_by_reference ON ledger_extra (guild_no, reference, number) WHERE reference IS NOT NULL;
CREATE INDEX extra_by_payment ON ledger_extra
((CASE WHEN length(payment_id) = 36 THEN payment_id::uuid END), guild_no) WHERE payment_id IS NOT NULL;
-- The corrections that people make have the id of the corrected transaction as their only metadata.
CREATE INDEX extra_by_corrected ON ledger_extra (guild_no, metadata) WHERE substr(metadata, 1, 13) = '{"corrects":"';

-- The outcome of a post is its transaction, so that an idempotency key refers to it instead of storing a copy.
CREATE TABLE idempotency (
  guild_no bigint NOT NULL,
  idempotency_key text COLLATE "C" NOT NULL,
  request_hash text COLLATE "C" NOT NULL,
  account_no bigint NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (guild_no, idempotency_key)
);

-- The request that belongs to the idempotency key of a batch. Its transactions have keys of their own, but these do not
-- identify the whole request. seen_at is when the daily clean-up first saw the row; NULL until then.
CREATE TABLE batch_request (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  batch_key text COLLATE "C" NOT NULL,
  request_hash text COLLATE "C" NOT NULL,
  seen_at bigint,
  PRIMARY KEY (guild_no, batch_key)
);

-- Sums of a guild's transactions by day, kept in the commits of the transactions. One day of large transactions can outgrow 64
-- bits, which numeric holds. Withdrawals have no sign.
CREATE TABLE guild_day (
  guild_no bigint NOT NULL,
  day bigint NOT NULL,
  accounts_opened bigint NOT NULL,
  deposit_count bigint NOT NULL,
  deposit_units numeric NOT NULL,
  withdrawal_count bigint NOT NULL,
  withdrawal_units numeric NOT NULL,
  PRIMARY KEY (guild_no, day)
) WITH (fillfactor = 50);

-- The same by source. At most 100 sources of a day have a row of their own. The others share the row of the empty source, a
-- name that no source can have.
CREATE TABLE guild_day_source (
  guild_no bigint NOT NULL,
  day bigint NOT NULL,
  source text COLLATE "C" NOT NULL,
  deposit_count bigint NOT NULL,
  deposit_units numeric NOT NULL,
  withdrawal_count bigint NOT NULL,
  withdrawal_units numeric NOT NULL,
  PRIMARY KEY (guild_no, day, source)
) WITH (fillfactor = 50);

-- The part of each ledger that was written into archive files: the transactions up to through_number, all from before before_at, with
-- their number and sums. Their rows are removed afterwards; guild_ledger says how far.
CREATE TABLE archive (
  guild_no bigint NOT NULL PRIMARY KEY,
  through_number bigint NOT NULL,
  before_at bigint NOT NULL,
  deposit_count bigint NOT NULL,
  deposit_units text COLLATE "C" NOT NULL,
  withdrawal_count bigint NOT NULL,
  withdrawal_units text COLLATE "C" NOT NULL
);

-- The ids of archived transactions, as 32 hexadecimal digits.
CREATE TABLE archived_transaction (
  guild_no bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (guild_no, id)
);
