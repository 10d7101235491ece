-- Endpoints that are told of a guild's events. Nothing is written for an event when it happens: each endpoint has a position
-- in each log that it follows, and whoever holds its lease delivers what lies behind them. Secrets and the addresses of chat
-- channels are encrypted; url is what is shown.
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
  PRIMARY KEY (guild_no, webhook_id)
) WITH (fillfactor = 50);

-- Deliveries that failed, with what is sent.
CREATE TABLE webhook_retry (
  guild_no bigint NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  body text COLLATE "C" NOT NULL,
  attempts bigint NOT NULL,
  next_at bigint NOT NULL,
  PRIMARY KEY (guild_no, webhook_id, event_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
);
CREATE INDEX webhook_retry_by_time ON webhook_retry (guild_no, webhook_id, next_at);

-- What came of the last requests to an endpoint.
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
  PRIMARY KEY (guild_no, webhook_id, attempt_id),
  FOREIGN KEY (guild_no, webhook_id) REFERENCES webhook (guild_no, webhook_id) ON DELETE CASCADE
);
