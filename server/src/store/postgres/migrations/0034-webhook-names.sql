-- A name that people give an endpoint; NULL for none.
ALTER TABLE webhook ADD COLUMN name text COLLATE "C";
-- The beginnings of the body that was sent and of the answer; NULL in rows of older versions.
ALTER TABLE webhook_attempt ADD COLUMN payload text COLLATE "C";
ALTER TABLE webhook_attempt ADD COLUMN answer text COLLATE "C";
