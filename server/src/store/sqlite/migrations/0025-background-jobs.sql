-- The process that runs a job in the background, which one process does at a time. Others may take the job when lease_until has
-- passed.
CREATE TABLE background_job (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- The time when the daily clean-up first saw a row, from which on its key expires. NULL until then, so that posts write nothing more.
ALTER TABLE batch_request ADD COLUMN seen_at INTEGER;
