-- Keeps an account in the order of balances. A new account is settled. A settled one stays so when its last transaction is older
-- than a minute: it is not expected to move often, and its new balance goes into the index. Otherwise it leaves the order until
-- settle-accounts.ts settles it.
CREATE OR REPLACE FUNCTION order_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ordered_balance := CASE WHEN TG_OP = 'UPDATE' AND NEW.last_created_at - OLD.last_created_at < 60000 THEN NULL
    ELSE NEW.balance END;
  RETURN NEW;
END $$;
