-- Append-only: each change of a record with its time and actor, written in the commit of the change. Guild 0 is the part that
-- belongs to no guild: verifications and the command catalogue.
CREATE TABLE audit_entry (
  guild_no bigint NOT NULL,
  entry_no bigint NOT NULL,
  created_at bigint NOT NULL,
  actor_kind text COLLATE "C" NOT NULL CHECK (actor_kind IN ('key', 'user', 'bot', 'operator')),
  actor_id text COLLATE "C" NOT NULL,
  action text COLLATE "C" NOT NULL CHECK (action IN ('create', 'update', 'delete')),
  subject_kind text COLLATE "C" NOT NULL,
  subject_id text COLLATE "C" NOT NULL,
  detail text COLLATE "C" NOT NULL,
  PRIMARY KEY (guild_no, entry_no)
);
-- The log is read by time, newest first: of everybody, of one actor, of one kind of subject, or of one record.
CREATE INDEX audit_by_time ON audit_entry (guild_no, created_at, entry_no);
CREATE INDEX audit_by_actor ON audit_entry (guild_no, actor_kind, actor_id, created_at, entry_no);
CREATE INDEX audit_by_kind ON audit_entry (guild_no, subject_kind, created_at, entry_no);
CREATE INDEX audit_by_subject ON audit_entry (guild_no, subject_kind, subject_id, created_at, entry_no, action, actor_kind,
  actor_id);
CREATE TRIGGER audit_entry_is_not_changed BEFORE UPDATE OR DELETE ON audit_entry
FOR EACH ROW EXECUTE FUNCTION refuse_change();

-- The last entry of each guild's log that was removed because it had outlived its time, together with all before it.
CREATE TABLE audit_removed (
  guild_no bigint NOT NULL PRIMARY KEY,
  through_entry_no bigint NOT NULL
);

-- Every writer of a guild's log locks this row, so that entry numbers have no gaps and rise in the order of commits. All
-- audited writes of a guild begin with it: it is the only row on which they wait for one another.
CREATE TABLE audit_counter (
  guild_no bigint NOT NULL PRIMARY KEY,
  last_entry_no bigint NOT NULL
) WITH (fillfactor = 50);
INSERT INTO audit_counter (guild_no, last_entry_no) VALUES (0, 0);

-- Endpoints that receive a guild's events. An event writes nothing here when it happens: each endpoint has a position in each
-- log that it follows, and the process that holds its lease delivers the entries after them. Secrets and the addresses of
-- chat channels are encrypted; url is the text that is shown. key_id is the key that made or last changed the endpoint; NULL
-- when a person did, and in rows of version 0.2. due_at is the time from which on a claim takes the endpoint; NULL while it is
-- idle.
CREATE TABLE webhook (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  webhook_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('standard', 'discord')),
  url text COLLATE "C" NOT NULL,
  sealed_url text COLLATE "C",
  events text COLLATE "C" NOT NULL,
  filter text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('active', 'disabled')),
  disabled_reason text COLLATE "C",
  sealed_secret text COLLATE "C",
  sealed_old_secret text COLLATE "C",
  old_secret_until bigint,
  created_at bigint NOT NULL,
  generation bigint NOT NULL,
  follows_feed boolean NOT NULL,
  follows_audit boolean NOT NULL,
  follows_people boolean NOT NULL,
  feed_number bigint NOT NULL,
  audit_entry_no bigint NOT NULL,
  people_entry_no bigint NOT NULL,
  failing_since bigint,
  announced_keys text COLLATE "C" NOT NULL,
  check_at bigint,
  summary_at bigint,
  retry_at bigint,
  lease_holder text COLLATE "C",
  lease_until bigint NOT NULL,
  key_id text COLLATE "C",
  due_at bigint,
  name text COLLATE "C",
  PRIMARY KEY (guild_no, webhook_id)
) WITH (fillfactor = 50);
-- A claim reads only the endpoints that are due. The log that belongs to no guild wakes those that follow it.
CREATE INDEX webhook_by_due ON webhook (kind, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_by_people ON webhook (guild_no, webhook_id) WHERE follows_people;

-- Deliveries that failed and will be tried again, with their bodies. event_at is the time of the event; NULL in rows of
-- version 0.2.
CREATE TABLE webhook_retry (
  guild_no bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  next_at bigint NOT NULL,
  event_at bigint,
  PRIMARY KEY (guild_no, webhook_id, event_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
);
CREATE INDEX webhook_retry_by_time ON webhook_retry (guild_no, webhook_id, next_at);
CREATE INDEX webhook_retry_by_event ON webhook_retry (guild_no, webhook_id, event_at);

-- The results of the last requests to an endpoint. payload and answer are the beginnings of both bodies; NULL in rows of older versions.
CREATE TABLE webhook_attempt (
  guild_no bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  attempt_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  status bigint,
  duration_ms bigint NOT NULL,
  error text COLLATE "C",
  payload text COLLATE "C",
  answer text COLLATE "C",
  PRIMARY KEY (guild_no, webhook_id, attempt_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
);
