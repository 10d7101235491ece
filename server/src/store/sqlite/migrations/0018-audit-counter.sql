-- The last entry of each guild's log, under the name that it has on PostgreSQL. There it is a row that writers lock; SQLite has one
-- writer at a time, so that the log itself is enough and nothing has to be moved.
CREATE VIEW audit_counter AS
SELECT guild_no, coalesce((SELECT max(e.entry_no) FROM audit_entry AS e WHERE e.guild_no = guild.guild_no), 0) AS last_entry_no
FROM guild
UNION ALL
SELECT 0, coalesce((SELECT max(e.entry_no) FROM audit_entry AS e WHERE e.guild_no = 0), 0);
CREATE TRIGGER audit_counter_begins INSTEAD OF INSERT ON audit_counter BEGIN SELECT 1; END;
CREATE TRIGGER audit_counter_moves INSTEAD OF UPDATE ON audit_counter BEGIN SELECT 1; END;
