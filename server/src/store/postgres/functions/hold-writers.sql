-- Keeps all other writers out of this machine until the end of the transaction. Each writer takes the same lock as shared.
CREATE OR REPLACE FUNCTION hold_writers() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('lock_timeout') = '0' THEN
    PERFORM set_config('lock_timeout', '4s', true);
  END IF;
  PERFORM pg_advisory_xact_lock(1195526961, 1);
  RETURN true;
END $$;
