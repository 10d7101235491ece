-- The guild of each of the last changes of keys, by the value that the counter of keys then had: a process drops only the keys of
-- these guilds from its cache.
CREATE TABLE key_change (
  revision INTEGER PRIMARY KEY,
  guild_no INTEGER NOT NULL
) STRICT;
