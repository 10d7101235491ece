-- A name that people give an endpoint; NULL for none.
ALTER TABLE webhook ADD COLUMN name TEXT;
-- The beginnings of the body that was sent and of the answer; NULL in rows of older versions.
ALTER TABLE webhook_attempt ADD COLUMN payload TEXT;
ALTER TABLE webhook_attempt ADD COLUMN answer TEXT;
