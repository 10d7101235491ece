-- Trigger function: refuses statements that would remove or renumber rows that other tables refer to.
CREATE OR REPLACE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the rows of % are neither removed nor renumbered', TG_TABLE_NAME;
END $$;
