-- The language of a guild's channel messages, board and chat replies; NULL is English.
ALTER TABLE guild ADD COLUMN language text COLLATE "C";
