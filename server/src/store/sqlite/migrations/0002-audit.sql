-- What the operator's bot knows of a guild beside its name.
ALTER TABLE guild ADD COLUMN icon TEXT;
ALTER TABLE guild ADD COLUMN owner_chat_id TEXT;

-- A person's past accounts outlive the verification: when a game account moves to somebody else, its former
-- holder keeps the history and gets it back with the next verification.
CREATE TABLE past_user_kept (
  chat_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  player_id TEXT NOT NULL,
  username TEXT NOT NULL,
  name_key TEXT NOT NULL,
  PRIMARY KEY (chat_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO past_user_kept SELECT chat_id, position, player_id, username, name_key FROM past_user;
DROP TABLE past_user;
ALTER TABLE past_user_kept RENAME TO past_user;
CREATE INDEX past_user_by_player ON past_user (player_id);
CREATE INDEX past_user_by_name ON past_user (name_key);

-- Append-only: who did what to which record when, written in the commit that does it. Guild 0 is the part that
-- belongs to no guild: verifications and the command catalogue.
CREATE TABLE audit_entry (
  guild_no INTEGER NOT NULL,
  entry_no INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  actor_kind TEXT NOT NULL CHECK (actor_kind IN ('key', 'user', 'bot', 'operator')),
  actor_id TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('create', 'update', 'delete')),
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (guild_no, entry_no)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER audit_entry_is_not_changed BEFORE UPDATE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_entry_is_not_deleted BEFORE DELETE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
