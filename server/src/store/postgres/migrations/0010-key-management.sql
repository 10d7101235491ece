-- What can be said about a key beside its name.
ALTER TABLE api_key ADD COLUMN note text COLLATE "C";
-- The networks it may be used from, separated by spaces; NULL for anywhere.
ALTER TABLE api_key ADD COLUMN networks text COLLATE "C";

-- Values that a rotation replaced and that are still valid for some time. The key itself has the present one.
CREATE TABLE former_key (
  hash text COLLATE "C" NOT NULL PRIMARY KEY,
  key_no bigint NOT NULL REFERENCES api_key (key_no),
  valid_until bigint NOT NULL
);
CREATE INDEX former_key_by_key ON former_key (key_no, valid_until);

-- What a key may do at most, and how much it has withdrawn on the day in UTC that it last withdrew on. Only limited keys
-- have a row, which is moved in the commits of their transactions. Money is counted in ten-thousandths.
CREATE TABLE key_limit (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  key_no bigint NOT NULL,
  amount_max bigint,
  withdrawn_per_day_max bigint,
  day bigint NOT NULL,
  withdrawn bigint NOT NULL,
  PRIMARY KEY (guild_no, key_no)
) WITH (fillfactor = 50);

-- How often a key was answered on a day in UTC, by the code of the refusal; 'ok' is none.
CREATE TABLE key_usage (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  key_no bigint NOT NULL,
  day bigint NOT NULL,
  code text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (guild_no, key_no, day, code)
) WITH (fillfactor = 70);
