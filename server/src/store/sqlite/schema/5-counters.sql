-- A counter for each part of the store that processes keep in memory. Every change of such a part increments its counter in
-- the same commit, so that one small read validates what is cached.
CREATE TABLE revision (
  part TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO revision (part, value) VALUES ('keys', 1), ('commands', 1), ('boards', 1), ('records', 1), ('verifications', 1);

-- The guild of each of the last changes of keys, by the value that the counter of keys then had: a process drops only the keys of
-- these guilds from its cache. A value without a row is a change of unknown keys, and empties the cache.
CREATE TABLE key_change (
  revision INTEGER PRIMARY KEY,
  guild_no INTEGER NOT NULL
) STRICT;

-- The processes that serve this store, for limits that they share. seen_at moves while a process runs. One that
-- is apart does not reach Redis and limits on its own.
CREATE TABLE instance (
  instance_id TEXT NOT NULL PRIMARY KEY,
  seen_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('shared', 'apart', 'left'))
) STRICT, WITHOUT ROWID;

-- The process that runs a job in the background, which one process does at a time. Others may take the job when lease_until has
-- passed.
CREATE TABLE background_job (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A counter for the records of each guild, so that an import into one guild leaves the cached records of the others valid.
-- While the counter of all records stays the same, no guild's counter has to be read.
CREATE TABLE record_revision (
  guild_no INTEGER PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;

-- Triggers count, because a process of the version before may write to the same file.
CREATE TRIGGER discharge_inserted AFTER INSERT ON discharge
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER discharge_updated AFTER UPDATE ON discharge
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER discharge_deleted AFTER DELETE ON discharge
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (OLD.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER transfer_inserted AFTER INSERT ON transfer
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER transfer_updated AFTER UPDATE ON transfer
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER transfer_deleted AFTER DELETE ON transfer
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (OLD.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
CREATE TRIGGER verification_inserted AFTER INSERT ON verification
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER verification_updated AFTER UPDATE ON verification
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER verification_deleted AFTER DELETE ON verification
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER past_user_inserted AFTER INSERT ON past_user
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER past_user_updated AFTER UPDATE ON past_user
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
CREATE TRIGGER past_user_deleted AFTER DELETE ON past_user
BEGIN UPDATE revision SET value = value + 1 WHERE part = 'verifications'; END;
