-- The calendar of a guild's days; NULL is UTC.
ALTER TABLE guild ADD COLUMN time_zone text COLLATE "C";
