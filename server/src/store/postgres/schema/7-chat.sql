-- What a guild lets its members do in the chat. commands_off has the names of commands, separated by commas.
CREATE TABLE guild_chat (
  guild_no bigint PRIMARY KEY REFERENCES guild (guild_no),
  commands_off text COLLATE "C" NOT NULL,
  members_pay boolean NOT NULL,
  pay_day_max bigint,
  balances_shown boolean NOT NULL
);

-- Payments of members in the chat, which count against the limit of a day. Older days are deleted with the next payment of the guild.
CREATE TABLE chat_payment (
  guild_no bigint NOT NULL REFERENCES guild (guild_no),
  day bigint NOT NULL,
  chat_id text COLLATE "C" NOT NULL,
  payment_key text COLLATE "C" NOT NULL,
  units bigint NOT NULL,
  PRIMARY KEY (guild_no, day, chat_id, payment_key)
);
