-- Links that give a role to people who open them. Only the hash of a link's token is stored.
CREATE TABLE guild_invitation (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  invitation_id TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  uses_left INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (guild_no, invitation_id),
  UNIQUE (guild_no, token_hash)
) STRICT, WITHOUT ROWID;
