-- Most accounts are short, and a query can sort a hundred rows. The indexes by amount, quantity and total leave out the first
-- hundred rows of each account, so that a post to a short account does not write to them. See account-parts.ts.
DROP INDEX ledger_by_amount;
DROP INDEX ledger_by_quantity;
DROP INDEX ledger_by_total;
CREATE INDEX ledger_by_amount ON ledger_transaction (guild_no, account_no, amount, seq) WHERE seq > 100;
CREATE INDEX ledger_by_quantity ON ledger_transaction (guild_no, account_no, quantity, seq) WHERE seq > 100;
CREATE INDEX ledger_by_total ON ledger_transaction (guild_no, account_no, total, seq) WHERE seq > 100;
