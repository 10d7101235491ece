-- Constant defaults and NULL: no row is rewritten.
ALTER TABLE guild_ledger ADD COLUMN archived_number bigint NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN archived_count bigint NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN opened_at bigint;
ALTER TABLE account ADD COLUMN archived_at bigint;
ALTER TABLE ledger_extra ADD COLUMN reverses_id text COLLATE "C";
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
