-- Trigger function: gives the guild's next number to a transaction that an instance of version 0.1 inserts without one.
CREATE OR REPLACE FUNCTION number_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO guild_ledger AS known (guild_no, last_number) VALUES (NEW.guild_no, 1)
  ON CONFLICT (guild_no) DO UPDATE SET last_number = known.last_number + 1
  RETURNING last_number INTO NEW.number;
  RETURN NEW;
END $$;
