-- The public page of a guild, at the address /board/<name>, and the parts that it shows. moves_min is the smallest amount of the moves
-- on it; NULL shows none.
CREATE TABLE guild_board (
  guild_no INTEGER PRIMARY KEY REFERENCES guild (guild_no),
  name TEXT NOT NULL UNIQUE,
  is_published INTEGER NOT NULL CHECK (is_published IN (0, 1)),
  shows_names INTEGER NOT NULL CHECK (shows_names IN (0, 1)),
  shows_leaderboard INTEGER NOT NULL CHECK (shows_leaderboard IN (0, 1)),
  shows_totals INTEGER NOT NULL CHECK (shows_totals IN (0, 1)),
  shows_chart INTEGER NOT NULL CHECK (shows_chart IN (0, 1)),
  moves_min INTEGER,
  shows_commands INTEGER NOT NULL CHECK (shows_commands IN (0, 1))
) STRICT;
