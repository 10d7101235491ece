-- A counter for each part of the store that instances keep in memory. Every change of such a part increments its counter in
-- the same commit, so that one small read validates what is cached.
CREATE TABLE revision (
  part text COLLATE "C" NOT NULL PRIMARY KEY,
  value bigint NOT NULL
);
INSERT INTO revision (part, value) VALUES ('keys', 1), ('commands', 1);
