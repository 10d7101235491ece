-- Every transaction of a guild has a number: dense, and in the order of commits. A sequence would not do: its numbers are
-- drawn before the commit, so that a higher one can be seen before a lower one. This one is drawn from the guild's
-- ledger, whose row everybody who appends holds until the commit. What is there already is numbered by time, so that
-- numbers rise along every account.
ALTER TABLE guild_ledger ADD COLUMN last_number bigint NOT NULL DEFAULT 0;
ALTER TABLE ledger_transaction ADD COLUMN number bigint;
UPDATE ledger_transaction t SET number = n.number
FROM (
  SELECT guild_no, account_no, seq,
    row_number() OVER (PARTITION BY guild_no ORDER BY created_at, account_no, seq) AS number
  FROM ledger_transaction
) AS n
WHERE t.guild_no = n.guild_no AND t.account_no = n.account_no AND t.seq = n.seq;
INSERT INTO guild_ledger AS known (guild_no, last_number)
SELECT guild_no, max(number) FROM ledger_transaction GROUP BY guild_no
ON CONFLICT (guild_no) DO UPDATE SET last_number = excluded.last_number;
ALTER TABLE ledger_transaction ALTER COLUMN number SET NOT NULL;

CREATE UNIQUE INDEX ledger_by_number ON ledger_transaction (guild_no, number);
-- Ids are indexed as their sixteen bytes. Not as unique: an older version could import one id into two accounts.
-- They come first, because a look-up by guild and something else must not take this index for its own.
CREATE INDEX ledger_by_id ON ledger_transaction
((CASE WHEN length(transaction_id) = 36 THEN transaction_id::uuid END), guild_no);

-- What only some transactions have, so that the others cost nothing. metadata is a JSON object with its keys in order;
-- reverses is the number of the transaction that this one takes back.
CREATE TABLE ledger_extra (
  guild_no bigint NOT NULL,
  number bigint NOT NULL,
  reference text COLLATE "C",
  metadata text COLLATE "C",
  payment_id text COLLATE "C",
  reverses bigint,
  PRIMARY KEY (guild_no, number)
);
-- No transaction is reversed twice.
CREATE UNIQUE INDEX extra_by_reversed ON ledger_extra (guild_no, reverses) WHERE reverses IS NOT NULL;
CREATE INDEX extra_by_reference ON ledger_extra (guild_no, reference, number) WHERE reference IS NOT NULL;
CREATE INDEX extra_by_payment ON ledger_extra
((CASE WHEN length(payment_id) = 36 THEN payment_id::uuid END), guild_no) WHERE payment_id IS NOT NULL;

-- How far down withdrawals may take an account; NULL leaves it to the guild's setting.
ALTER TABLE account ADD COLUMN floor bigint;

-- An instance of an older version inserts without a number while it is still running. It gets one here.
CREATE FUNCTION number_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO guild_ledger AS known (guild_no, last_number) VALUES (NEW.guild_no, 1)
  ON CONFLICT (guild_no) DO UPDATE SET last_number = known.last_number + 1
  RETURNING last_number INTO NEW.number;
  RETURN NEW;
END $$;
CREATE TRIGGER transaction_gets_a_number BEFORE INSERT ON ledger_transaction
FOR EACH ROW WHEN (NEW.number IS NULL) EXECUTE FUNCTION number_transaction();
