-- Constant defaults and NULL: no row is rewritten.
ALTER TABLE guild_ledger ADD COLUMN archived_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN archived_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN opened_at INTEGER;
ALTER TABLE account ADD COLUMN archived_at INTEGER;
ALTER TABLE ledger_extra ADD COLUMN reverses_id TEXT;
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
