-- Most accounts are short, and sorting a hundred rows costs less than keeping three indexes at every post: they hold only
-- what is further down an account. listing.ts reads the two parts of an account together.
DROP INDEX ledger_by_amount;
DROP INDEX ledger_by_quantity;
DROP INDEX ledger_by_total;
CREATE INDEX ledger_by_amount ON ledger_transaction (guild_no, account_no, amount, seq) WHERE seq > 100;
CREATE INDEX ledger_by_quantity ON ledger_transaction (guild_no, account_no, quantity, seq) WHERE seq > 100;
CREATE INDEX ledger_by_total ON ledger_transaction (guild_no, account_no, total, seq) WHERE seq > 100;
