-- What a guild lets its members do in the chat, and their payments of a day, which count against a limit.
CREATE TABLE guild_chat (
  guild_no INTEGER PRIMARY KEY REFERENCES guild (guild_no),
  commands_off TEXT NOT NULL,
  members_pay INTEGER NOT NULL CHECK (members_pay IN (0, 1)),
  pay_day_max INTEGER,
  balances_shown INTEGER NOT NULL CHECK (balances_shown IN (0, 1))
) STRICT;
CREATE TABLE chat_payment (
  guild_no INTEGER NOT NULL REFERENCES guild (guild_no),
  day INTEGER NOT NULL,
  chat_id TEXT NOT NULL,
  payment_key TEXT NOT NULL,
  units INTEGER NOT NULL,
  PRIMARY KEY (guild_no, day, chat_id, payment_key)
) STRICT, WITHOUT ROWID;
