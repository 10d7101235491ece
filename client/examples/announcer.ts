import type { GuildbookClient } from '@guildbook/client';

type Announcer = {
  /** Where the last number is kept: a file, a database, whatever the bot has. */
  loadPosition(): Promise<number>;
  savePosition(position: number): Promise<void>;
  say(text: string): Promise<void>;
  signal: AbortSignal;
};

/** Announces every transaction of the guild, also those that were posted while the bot was down. */
export async function announce(guildbook: GuildbookClient, bot: Announcer) {
  const after = await bot.loadPosition();
  for await (const { number, playerId, name, total } of guildbook.follow({ after }, { signal: bot.signal })) {
    await bot.say(`${playerId}: ${name}, ${total}`);
    await bot.savePosition(number);
  }
}
