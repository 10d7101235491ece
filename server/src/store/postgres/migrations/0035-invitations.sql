-- Links that give a role to people who open them. Only the hash of a link's token is stored.
CREATE TABLE guild_invitation (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  invitation_id text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  uses_left bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (guild_no, invitation_id),
  UNIQUE (guild_no, token_hash)
);
