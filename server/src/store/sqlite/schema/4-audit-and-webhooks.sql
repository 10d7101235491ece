-- Append-only: each change of a record with its time and actor, written in the commit of the change. Guild 0 is the part that
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
-- The log is read by time, newest first: of everybody, of one actor, of one kind of subject, or of one record. The columns
-- behind entry_no are those that other filters read.
CREATE INDEX audit_by_time ON audit_entry (guild_no, created_at, entry_no, action);
CREATE INDEX audit_by_actor ON audit_entry
  (guild_no, actor_kind, actor_id, created_at, entry_no, subject_kind, action);
CREATE INDEX audit_by_kind ON audit_entry (guild_no, subject_kind, created_at, entry_no, action);
CREATE INDEX audit_by_subject ON audit_entry (guild_no, subject_kind, subject_id, created_at, entry_no, action, actor_kind,
  actor_id);

-- The last entry of each guild's log that was removed because it had outlived its time, together with all before it.
CREATE TABLE audit_removed (
  guild_no INTEGER PRIMARY KEY,
  through_entry_no INTEGER NOT NULL
) STRICT;

CREATE TRIGGER audit_entry_is_not_changed BEFORE UPDATE ON audit_entry
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;
CREATE TRIGGER audit_entry_is_not_deleted BEFORE DELETE ON audit_entry
WHEN OLD.entry_no > coalesce((SELECT r.through_entry_no FROM audit_removed AS r WHERE r.guild_no = OLD.guild_no), 0)
BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END;

-- The last entry of each guild's log, under the name that it has on PostgreSQL. There it is a row that writers lock. SQLite
-- has one writer at a time and needs no counter, so that writes to this view do nothing.
CREATE VIEW audit_counter AS
SELECT guild_no, coalesce((SELECT max(e.entry_no) FROM audit_entry AS e WHERE e.guild_no = guild.guild_no), 0) AS last_entry_no
FROM guild
UNION ALL
SELECT 0, coalesce((SELECT max(e.entry_no) FROM audit_entry AS e WHERE e.guild_no = 0), 0);
CREATE TRIGGER audit_counter_begins INSTEAD OF INSERT ON audit_counter BEGIN SELECT 1; END;
CREATE TRIGGER audit_counter_moves INSTEAD OF UPDATE ON audit_counter BEGIN SELECT 1; END;

-- Endpoints that receive a guild's events. An event writes nothing here when it happens: each endpoint has a position in each
-- log that it follows, and the process that holds its lease delivers the entries after them. Secrets and the addresses of
-- chat channels are encrypted; url is the text that is shown. key_id is the key that made or last changed the endpoint; NULL
-- when a person did, and in rows of version 0.2. due_at is the time from which on a claim takes the endpoint; NULL while it is
-- idle.
CREATE TABLE webhook (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  webhook_id TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('standard', 'discord')),
  url TEXT NOT NULL,
  sealed_url TEXT,
  events TEXT NOT NULL,
  filter TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'disabled')),
  disabled_reason TEXT,
  sealed_secret TEXT,
  sealed_old_secret TEXT,
  old_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  follows_feed INTEGER NOT NULL,
  follows_audit INTEGER NOT NULL,
  follows_people INTEGER NOT NULL,
  feed_number INTEGER NOT NULL,
  audit_entry_no INTEGER NOT NULL,
  people_entry_no INTEGER NOT NULL,
  failing_since INTEGER,
  announced_keys TEXT NOT NULL,
  check_at INTEGER,
  summary_at INTEGER,
  retry_at INTEGER,
  lease_holder TEXT,
  lease_until INTEGER NOT NULL,
  key_id TEXT,
  due_at INTEGER,
  name TEXT,
  PRIMARY KEY (guild_no, webhook_id)
) STRICT, WITHOUT ROWID;
-- A claim reads only the endpoints that are due. The log that belongs to no guild wakes those that follow it.
CREATE INDEX webhook_by_due ON webhook (kind, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_by_people ON webhook (guild_no, webhook_id) WHERE follows_people;

-- Deliveries that failed and will be tried again, with their bodies. event_at is the time of the event; NULL in rows of
-- version 0.2.
CREATE TABLE webhook_retry (
  guild_no INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  event_at INTEGER,
  PRIMARY KEY (guild_no, webhook_id, event_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_retry_by_time ON webhook_retry (guild_no, webhook_id, next_at);
CREATE INDEX webhook_retry_by_event ON webhook_retry (guild_no, webhook_id, event_at);

-- The results of the last requests to an endpoint. payload and answer are the beginnings of both bodies; NULL in rows of older versions.
CREATE TABLE webhook_attempt (
  guild_no INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  attempt_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  status INTEGER,
  duration_ms INTEGER NOT NULL,
  error TEXT,
  payload TEXT,
  answer TEXT,
  PRIMARY KEY (guild_no, webhook_id, attempt_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
