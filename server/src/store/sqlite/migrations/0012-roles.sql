-- Who sees and changes what of a guild in the dashboard, beside those who manage it on the chat platform: roles of the platform
-- that stand for roles here, and single people.
CREATE TABLE guild_chat_role (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  chat_role_id TEXT NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  PRIMARY KEY (guild_no, chat_role_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE guild_person (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  chat_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'treasurer', 'manager')),
  invited_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (guild_no, chat_id)
) STRICT, WITHOUT ROWID;
