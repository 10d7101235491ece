-- When the event of a waiting delivery happened, so that the age of the oldest one is known. NULL in rows of an older version.
ALTER TABLE webhook_retry ADD COLUMN event_at INTEGER;
CREATE INDEX webhook_retry_by_event ON webhook_retry (guild_no, webhook_id, event_at);
