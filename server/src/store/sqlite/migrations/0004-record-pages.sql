-- What the record pages sort and search by, kept beside each record: its time in milliseconds, its name in lower case,
-- and everything that can be searched in one text. The functions are ours, and the writer uses the same ones.
CREATE TABLE discharge_kept (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  discharge_id TEXT NOT NULL,
  chat_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  reason TEXT NOT NULL,
  date TEXT NOT NULL,
  type TEXT NOT NULL,
  origin TEXT NOT NULL,
  signed TEXT NOT NULL,
  date_at INTEGER NOT NULL,
  name_key TEXT NOT NULL,
  search_text TEXT NOT NULL,
  PRIMARY KEY (guild_no, discharge_id)
) STRICT, WITHOUT ROWID;
INSERT INTO discharge_kept
  SELECT guild_no, discharge_id, chat_id, player_id, name, reason, date, type, origin, signed, time_of_date(date),
    name_key(name), search_key(discharge_id || char(10) || player_id || char(10) || chat_id || char(10) || name)
  FROM discharge;
DROP TABLE discharge;
ALTER TABLE discharge_kept RENAME TO discharge;

CREATE TABLE transfer_kept (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  transfer_id TEXT NOT NULL,
  player_id TEXT NOT NULL,
  name TEXT NOT NULL,
  date INTEGER NOT NULL,
  origin TEXT NOT NULL,
  target TEXT NOT NULL,
  signed TEXT NOT NULL,
  name_key TEXT NOT NULL,
  search_text TEXT NOT NULL,
  PRIMARY KEY (guild_no, transfer_id)
) STRICT, WITHOUT ROWID;
INSERT INTO transfer_kept
  SELECT guild_no, transfer_id, player_id, name, date, origin, target, signed, name_key(name),
    search_key(transfer_id || char(10) || player_id || char(10) || name)
  FROM transfer;
DROP TABLE transfer;
ALTER TABLE transfer_kept RENAME TO transfer;

-- Each order ends in the id, which makes it total. What filters look at stands behind it, so that a search reads the
-- index alone: fetching each row takes ten times as long.
CREATE INDEX discharge_by_date ON discharge (guild_no, date_at, discharge_id, type, search_text);
CREATE INDEX discharge_by_name ON discharge (guild_no, name_key, discharge_id, date_at, type, search_text);
CREATE INDEX discharge_by_type ON discharge (guild_no, type, date_at, discharge_id);
CREATE INDEX discharge_by_player ON discharge (guild_no, player_id);
CREATE INDEX transfer_by_date ON transfer (guild_no, date, transfer_id, search_text);
CREATE INDEX transfer_by_name ON transfer (guild_no, name_key, transfer_id, date, search_text);
CREATE INDEX transfer_by_player ON transfer (guild_no, player_id);

-- The log is read by time, newest first, of everybody, of one actor or of one kind of subject. The other filters look at
-- the columns behind.
CREATE INDEX audit_by_time ON audit_entry (guild_no, created_at, entry_no, action);
CREATE INDEX audit_by_actor ON audit_entry
  (guild_no, actor_kind, actor_id, created_at, entry_no, subject_kind, action);
CREATE INDEX audit_by_kind ON audit_entry (guild_no, subject_kind, created_at, entry_no, action);
