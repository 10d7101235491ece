-- Functions that version 0.1 called, or a version between 0.1 and 0.2. Version 0.2 calls append_transactions with 29 arguments.
DO $$
DECLARE
  old regprocedure;
BEGIN
  FOR old IN
    SELECT p.oid FROM pg_proc p WHERE p.pronamespace = current_schema()::regnamespace
      AND (p.proname = 'append_posts' OR (p.proname = 'append_transactions' AND p.pronargs < 29))
  LOOP
    EXECUTE format('DROP FUNCTION %s', old);
  END LOOP;
END $$;
