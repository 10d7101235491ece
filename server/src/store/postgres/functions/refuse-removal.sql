-- Trigger function: refuses statements that would remove or renumber rows that other tables refer to. A transaction that sets
-- guildbook.allows_removal may delete transactions, which are archived then. Shards have a number at the end of their names.
CREATE OR REPLACE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME ~ '^ledger_transaction(_[0-9]+)?$'
    AND current_setting('guildbook.allows_removal', true) = 'on' THEN
    RETURN CASE WHEN TG_LEVEL = 'ROW' THEN OLD END;
  END IF;
  RAISE EXCEPTION 'the rows of % are neither removed nor renumbered', TG_TABLE_NAME;
END $$;
