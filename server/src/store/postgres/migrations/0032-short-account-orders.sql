-- The orders of an account leave out its first hundred rows: see schema/2-ledger.sql. Version 0.2 sorts whole accounts from then on.
-- step: index
DROP INDEX ledger_by_amount;
CREATE INDEX ledger_by_amount ON ledger_transaction (guild_no, account_no, amount, seq) WHERE seq + 0 > 100;
DROP INDEX ledger_by_quantity;
CREATE INDEX ledger_by_quantity ON ledger_transaction (guild_no, account_no, quantity, seq) WHERE seq + 0 > 100;
DROP INDEX ledger_by_total;
CREATE INDEX ledger_by_total ON ledger_transaction (guild_no, account_no, total, seq) WHERE seq + 0 > 100;
