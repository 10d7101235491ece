-- The order of balances no longer changes with each post: see schema/2-ledger.sql. An account without ordered_balance is read and
-- sorted by every list. The first lists of a guild settle its accounts, so that nothing has to be filled in advance.
-- step: expand
ALTER TABLE account ADD COLUMN ordered_balance bigint;
ALTER TABLE account ADD CONSTRAINT account_ordered_by_balance CHECK (ordered_balance = balance) NOT VALID;
ALTER TABLE account SET (fillfactor = 70);
-- functions/order-account.sql replaces it at the end of the upgrade.
CREATE FUNCTION order_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ordered_balance := NULL;
  RETURN NEW;
END $$;
CREATE TRIGGER account_opens BEFORE INSERT ON account FOR EACH ROW EXECUTE FUNCTION order_account();
CREATE TRIGGER account_moves BEFORE UPDATE OF balance ON account
FOR EACH ROW WHEN (OLD.ordered_balance IS NOT NULL) EXECUTE FUNCTION order_account();
-- step: index
CREATE INDEX account_by_order ON account (guild_no, ordered_balance, account_no);
DROP INDEX account_by_balance;
-- step: contract
ALTER TABLE account VALIDATE CONSTRAINT account_ordered_by_balance;
