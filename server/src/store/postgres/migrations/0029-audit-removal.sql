-- The last entry of each guild's log that was removed because it had outlived its time, together with all before it.
CREATE TABLE audit_removed (
  guild_no bigint NOT NULL PRIMARY KEY,
  through_entry_no bigint NOT NULL
);
