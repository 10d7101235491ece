import type { GuildbookClient } from '@guildbook/client';

type Announcer = {
  /** Loads the last number from the bot's own storage, such as a file or a database. */
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
