-- The last holder of a game account is the last entry of the index: nothing is sorted to find it.
DROP INDEX verification_by_player;
CREATE INDEX verification_by_player ON verification (player_id, verified_at, chat_id);
