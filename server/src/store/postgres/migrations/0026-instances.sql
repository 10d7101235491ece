-- The instances that serve this store, for limits that they share. seen_at moves while an instance runs. One that
-- is apart does not reach Redis and limits on its own.
CREATE TABLE instance (
  instance_id text COLLATE "C" NOT NULL PRIMARY KEY,
  seen_at bigint NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('shared', 'apart', 'left'))
);
