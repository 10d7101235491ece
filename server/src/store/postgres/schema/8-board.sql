-- The public page of a guild, at the address /board/<name>, and the parts that it shows. moves_min is the smallest amount of the moves
-- on it; NULL shows none.
CREATE TABLE guild_board (
  guild_no bigint PRIMARY KEY REFERENCES guild (guild_no),
  name text COLLATE "C" NOT NULL UNIQUE,
  is_published boolean NOT NULL,
  shows_names boolean NOT NULL,
  shows_leaderboard boolean NOT NULL,
  shows_totals boolean NOT NULL,
  shows_chart boolean NOT NULL,
  moves_min bigint,
  shows_commands boolean NOT NULL
);
