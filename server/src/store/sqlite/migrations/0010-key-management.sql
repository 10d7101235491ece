-- What can be said about a key beside its name.
ALTER TABLE api_key ADD COLUMN note TEXT;
-- The networks it may be used from, separated by spaces; NULL for anywhere.
ALTER TABLE api_key ADD COLUMN networks TEXT;

-- Values that a rotation replaced and that are still valid for some time. The key itself has the present one.
CREATE TABLE former_key (
  hash TEXT NOT NULL PRIMARY KEY,
  key_no INTEGER NOT NULL REFERENCES api_key (key_no),
  valid_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX former_key_by_key ON former_key (key_no, valid_until);

-- What a key may do at most, and how much it has withdrawn on the day in UTC that it last withdrew on. Only limited keys
-- have a row, which is moved in the commits of their transactions. Money is counted in ten-thousandths.
CREATE TABLE key_limit (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  key_no INTEGER NOT NULL,
  amount_max INTEGER,
  withdrawn_per_day_max INTEGER,
  day INTEGER NOT NULL,
  withdrawn INTEGER NOT NULL,
  PRIMARY KEY (guild_no, key_no)
) STRICT, WITHOUT ROWID;

-- How often a key was answered on a day in UTC, by the code of the refusal; 'ok' is none.
CREATE TABLE key_usage (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  key_no INTEGER NOT NULL,
  day INTEGER NOT NULL,
  code TEXT NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (guild_no, key_no, day, code)
) STRICT, WITHOUT ROWID;
