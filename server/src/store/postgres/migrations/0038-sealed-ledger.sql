-- True when everybody may read the checkpoints and hashes of the guild's log.
ALTER TABLE guild ADD COLUMN seal_public boolean NOT NULL DEFAULT false;
-- The keys that sign the checkpoints of all logs. name is the beginning of the logs' origins; all keys have the same. The private
-- part is encrypted. A key signs until retired_at; NULL for the present one.
CREATE TABLE seal_key (
  key_no bigint NOT NULL PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  public_key text COLLATE "C" NOT NULL,
  sealed_secret text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  retired_at bigint
);

-- The log of each guild whose ledger is sealed. Its first leaf is the transaction first_number. frontier has the hashes of the
-- complete subtrees that the tree of this size consists of, the largest first, and checkpoint the signed root. The hashes of the
-- first tiled leaves are in tiles. The process that sealed last has the lease. Pages have room for new versions of their rows.
CREATE TABLE seal_log (
  guild_no bigint NOT NULL PRIMARY KEY,
  first_number bigint NOT NULL,
  size bigint NOT NULL CHECK (size >= 1),
  tiled bigint NOT NULL CHECK (tiled BETWEEN 0 AND size),
  frontier bytea NOT NULL,
  checkpoint text COLLATE "C" NOT NULL,
  sealed_at bigint NOT NULL,
  lease_holder text COLLATE "C" NOT NULL,
  lease_until bigint NOT NULL
) WITH (fillfactor = 50);

-- Up to 256 hashes of a level. Hashes cannot be compressed, so that trying it is left out.
CREATE TABLE seal_tile (
  guild_no bigint NOT NULL,
  level bigint NOT NULL,
  tile_no bigint NOT NULL,
  hashes bytea NOT NULL CHECK (length(hashes) BETWEEN 32 AND 8192),
  PRIMARY KEY (guild_no, level, tile_no)
);
ALTER TABLE seal_tile ALTER COLUMN hashes SET STORAGE EXTERNAL;
