-- The processes that serve this store, for limits that they share. seen_at moves while a process runs. One that
-- is apart does not reach Redis and limits on its own.
CREATE TABLE instance (
  instance_id TEXT NOT NULL PRIMARY KEY,
  seen_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('shared', 'apart', 'left'))
) STRICT, WITHOUT ROWID;
