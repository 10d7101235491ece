-- The keys that sign the checkpoints of all logs. name is the beginning of the logs' origins; all keys have the same. The private
-- part is encrypted. A key signs until retired_at; NULL for the present one.
CREATE TABLE seal_key (
  key_no INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  public_key TEXT NOT NULL,
  sealed_secret TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  retired_at INTEGER
) STRICT;

-- The log of each guild whose ledger is sealed. Its first leaf is the transaction first_number. frontier has the hashes of the
-- complete subtrees that the tree of this size consists of, the largest first, and checkpoint the signed root. The hashes of the
-- first tiled leaves are in tiles. The process that sealed last has the lease.
CREATE TABLE seal_log (
  guild_no INTEGER PRIMARY KEY REFERENCES guild (guild_no),
  first_number INTEGER NOT NULL,
  size INTEGER NOT NULL CHECK (size >= 1),
  tiled INTEGER NOT NULL CHECK (tiled BETWEEN 0 AND size),
  frontier BLOB NOT NULL,
  checkpoint TEXT NOT NULL,
  sealed_at INTEGER NOT NULL,
  lease_holder TEXT NOT NULL,
  lease_until INTEGER NOT NULL
) STRICT;

-- Up to 256 hashes of a level. Not WITHOUT ROWID, which would keep a part of each tile in the pages of the key.
CREATE TABLE seal_tile (
  guild_no INTEGER NOT NULL,
  level INTEGER NOT NULL,
  tile_no INTEGER NOT NULL,
  hashes BLOB NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192),
  PRIMARY KEY (guild_no, level, tile_no)
) STRICT;
