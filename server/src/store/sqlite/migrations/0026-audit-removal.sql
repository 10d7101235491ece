-- The last entry of each guild's log that was removed because it had outlived its time, together with all before it.
CREATE TABLE audit_removed (
  guild_no INTEGER PRIMARY KEY,
  through_entry_no INTEGER NOT NULL
) STRICT;
DROP TRIGGER audit_entry_is_not_deleted;
CREATE TRIGGER audit_entry_is_not_deleted BEFORE DELETE ON audit_entry
WHEN OLD.entry_no > coalesce((SELECT r.through_entry_no FROM audit_removed AS r WHERE r.guild_no = OLD.guild_no), 0)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
