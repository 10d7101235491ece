-- How people want the dashboard to look, as a small JSON object: their time zone, columns, saved views. It belongs to the
-- person, not to a guild.
CREATE TABLE person_preference (
  chat_id text COLLATE "C" PRIMARY KEY,
  preferences text COLLATE "C" NOT NULL
);
