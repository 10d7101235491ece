-- The time from which on a claim takes the endpoint; NULL while it is idle. Endpoints of older versions that have something to
-- deliver are found by the look that goes over all endpoints.
ALTER TABLE webhook ADD COLUMN due_at INTEGER;
-- A claim reads only the endpoints that are due. The log that belongs to no guild wakes those that follow it.
CREATE INDEX webhook_by_due ON webhook (kind, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_by_people ON webhook (guild_no, webhook_id) WHERE follows_people;
