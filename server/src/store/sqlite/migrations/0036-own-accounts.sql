-- True when verified members without a role may see their own account in the dashboard.
ALTER TABLE guild ADD COLUMN own_accounts INTEGER NOT NULL DEFAULT 1 CHECK (own_accounts IN (0, 1));
