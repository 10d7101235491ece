-- The instance that runs a job in the background, which one instance does at a time. Others may take the job when lease_until has
-- passed.
CREATE TABLE background_job (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  lease_until bigint NOT NULL
);
-- The time when the daily clean-up first saw a row, from which on its key expires. NULL until then, so that posts write nothing more.
ALTER TABLE batch_request ADD COLUMN seen_at bigint;
