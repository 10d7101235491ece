-- A counter for each part of the store that instances keep in memory. Every change of such a part increments its counter in
-- the same commit, so that one small read validates what is cached.
CREATE TABLE revision (
  part text COLLATE "C" NOT NULL PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO revision (part, value) VALUES ('keys', 1), ('commands', 1), ('boards', 1);

-- The guild of each of the last changes of keys, by the value that the counter of keys then had: an instance drops only the keys of
-- these guilds from its cache. A value without a row is a change of unknown keys, and empties the cache.
CREATE TABLE key_change (
  revision bigint NOT NULL PRIMARY KEY,
  guild_no bigint NOT NULL
);

-- The instances that serve this store, for limits that they share. seen_at moves while an instance runs. One that
-- is apart does not reach Redis and limits on its own.
CREATE TABLE instance (
  instance_id text COLLATE "C" NOT NULL PRIMARY KEY,
  seen_at bigint NOT NULL,
  state text COLLATE "C" NOT NULL CHECK (state IN ('shared', 'apart', 'left'))
);

-- The instance that runs a job in the background, which one instance does at a time. Others may take the job when lease_until has
-- passed.
CREATE TABLE background_job (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  lease_until bigint NOT NULL
);
