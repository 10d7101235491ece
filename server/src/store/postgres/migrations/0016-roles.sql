-- Who sees and changes what of a guild in the dashboard, beside those who manage it on the chat platform: roles of the platform
-- that stand for roles here, and single people.
CREATE TABLE guild_chat_role (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  chat_role_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  PRIMARY KEY (guild_no, chat_role_id)
);

CREATE TABLE guild_person (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  chat_id text COLLATE "C" NOT NULL,
  role text COLLATE "C" NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  invited_by text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (guild_no, chat_id)
);
