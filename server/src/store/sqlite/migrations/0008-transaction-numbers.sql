-- Every transaction of a guild has a number: dense, and in the order of commits. It is drawn in the commit, from one row
-- for each guild. What is there already is numbered by time, so that numbers rise along every account.
CREATE TABLE guild_ledger (
  guild_no INTEGER PRIMARY KEY REFERENCES guild (guild_no),
  last_number INTEGER NOT NULL
) STRICT;

ALTER TABLE ledger_transaction ADD COLUMN number INTEGER;

CREATE TABLE numbered (
  guild_no INTEGER NOT NULL,
  account_no INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY (guild_no, account_no, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO numbered
SELECT guild_no, account_no, seq,
  row_number() OVER (PARTITION BY guild_no ORDER BY created_at, account_no, seq)
FROM ledger_transaction;
UPDATE ledger_transaction SET number = (SELECT n.number FROM numbered AS n WHERE n.guild_no = ledger_transaction.guild_no
  AND n.account_no = ledger_transaction.account_no AND n.seq = ledger_transaction.seq);
INSERT INTO guild_ledger SELECT guild_no, max(number) FROM numbered GROUP BY guild_no;
DROP TABLE numbered;

CREATE UNIQUE INDEX ledger_by_number ON ledger_transaction (guild_no, number);
-- Ids are indexed as their sixteen bytes. Not as unique: an older version could import one id into two accounts.
CREATE INDEX ledger_by_id ON ledger_transaction (guild_no, unhex(replace(transaction_id, '-', '')));

-- What only some transactions have, so that the others cost nothing. metadata is a JSON object with its keys in order;
-- reverses is the number of the transaction that this one takes back.
CREATE TABLE ledger_extra (
  guild_no INTEGER NOT NULL,
  number INTEGER NOT NULL,
  reference TEXT,
  metadata TEXT,
  payment_id TEXT,
  reverses INTEGER,
  PRIMARY KEY (guild_no, number),
  FOREIGN KEY (guild_no, number) REFERENCES ledger_transaction (guild_no, number),
  FOREIGN KEY (guild_no, reverses) REFERENCES ledger_transaction (guild_no, number)
) STRICT, WITHOUT ROWID;
-- No transaction is reversed twice.
CREATE UNIQUE INDEX extra_by_reversed ON ledger_extra (guild_no, reverses) WHERE reverses IS NOT NULL;
CREATE INDEX extra_by_reference ON ledger_extra (guild_no, reference, number) WHERE reference IS NOT NULL;
CREATE INDEX extra_by_payment ON ledger_extra (guild_no, unhex(replace(payment_id, '-', '')))
WHERE payment_id IS NOT NULL;

-- How far down withdrawals may take an account; NULL leaves it to the guild's setting.
ALTER TABLE account ADD COLUMN floor INTEGER;

-- A process of an older version inserts without a number while it is still running. It gets one here.
CREATE TRIGGER ledger_transaction_gets_a_number AFTER INSERT ON ledger_transaction WHEN NEW.number IS NULL
BEGIN
  INSERT INTO guild_ledger VALUES (NEW.guild_no, 1)
  ON CONFLICT (guild_no) DO UPDATE SET last_number = last_number + 1;
  UPDATE ledger_transaction
  SET number = (SELECT last_number FROM guild_ledger WHERE guild_no = NEW.guild_no)
  WHERE guild_no = NEW.guild_no AND account_no = NEW.account_no AND seq = NEW.seq;
END;
