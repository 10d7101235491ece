-- True when verified members without a role may see their own account in the dashboard.
ALTER TABLE guild ADD COLUMN own_accounts boolean NOT NULL DEFAULT true;
