-- Each guild's records have a counter of their own, so that an import into one guild leaves what is in memory of the
-- others. The counter of all records stays: while it stands still, no guild's has to be looked at.
CREATE TABLE record_revision (
  guild_no INTEGER PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT;
DROP TRIGGER discharge_inserted;
CREATE TRIGGER discharge_inserted AFTER INSERT ON discharge
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
DROP TRIGGER discharge_updated;
CREATE TRIGGER discharge_updated AFTER UPDATE ON discharge
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
DROP TRIGGER discharge_deleted;
CREATE TRIGGER discharge_deleted AFTER DELETE ON discharge
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (OLD.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
DROP TRIGGER transfer_inserted;
CREATE TRIGGER transfer_inserted AFTER INSERT ON transfer
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
DROP TRIGGER transfer_updated;
CREATE TRIGGER transfer_updated AFTER UPDATE ON transfer
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (NEW.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
DROP TRIGGER transfer_deleted;
CREATE TRIGGER transfer_deleted AFTER DELETE ON transfer
BEGIN
  UPDATE revision SET value = value + 1 WHERE part = 'records';
  INSERT INTO record_revision (guild_no, value) VALUES (OLD.guild_no, 1)
    ON CONFLICT (guild_no) DO UPDATE SET value = value + 1;
END;
