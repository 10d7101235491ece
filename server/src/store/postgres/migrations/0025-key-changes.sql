-- The guild of each of the last changes of keys, by the value that the counter of keys then had: an instance drops only the keys of
-- these guilds from its cache.
CREATE TABLE key_change (
  revision bigint NOT NULL PRIMARY KEY,
  guild_no bigint NOT NULL
);
