-- The key that made an endpoint or changed it last. NULL when a person did, and in rows of an older version.
ALTER TABLE webhook ADD COLUMN key_id TEXT;
