-- How a guild's amounts are shown, null for the usual way.
ALTER TABLE guild ADD COLUMN currency_name TEXT;
ALTER TABLE guild ADD COLUMN currency_symbol TEXT;
ALTER TABLE guild ADD COLUMN decimals_shown INTEGER CHECK (decimals_shown BETWEEN 0 AND 4);

-- What became of one record, newest first.
CREATE INDEX audit_by_subject ON audit_entry (guild_no, subject_kind, subject_id, created_at, entry_no, action, actor_kind,
  actor_id);
