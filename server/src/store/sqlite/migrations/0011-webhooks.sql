-- Endpoints that are told of a guild's events. Nothing is written for an event when it happens: each endpoint has a position
-- in each log that it follows, and whoever holds its lease delivers what lies behind them. Secrets and the addresses of chat
-- channels are encrypted; url is what is shown.
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
  PRIMARY KEY (guild_no, webhook_id)
) STRICT, WITHOUT ROWID;

-- Deliveries that failed, with what is sent.
CREATE TABLE webhook_retry (
  guild_no INTEGER NOT NULL,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  PRIMARY KEY (guild_no, webhook_id, event_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_retry_by_time ON webhook_retry (guild_no, webhook_id, next_at);

-- What came of the last requests to an endpoint.
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
  PRIMARY KEY (guild_no, webhook_id, attempt_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
