import type { GuildbookClient } from '@guildbook/client';

/** What the bot uses of discord.js: its `Client`, and its `ChatInputCommandInteraction`. */
export interface Gateway {
  on(event: 'interactionCreate', listener: (interaction: Interaction) => void): unknown;
}
export interface Interaction {
  id: string;
  commandName: string;
  isChatInputCommand(): boolean;
  options: {
    getString(name: string, required: true): string;
    getNumber(name: string, required: true): number;
  };
  deferReply(): Promise<unknown>;
  editReply(text: string): Promise<unknown>;
}

/** `/payday`, `/top` and `/undo`, for `startBot(new Client({ intents: [GatewayIntentBits.Guilds] }), guildbook)`. */
export function startBot(gateway: Gateway, guildbook: GuildbookClient): void {
  const commands: Record<string, (interaction: Interaction) => Promise<string>> = {
    /** Pays every member named in one batch: all of them or none, and once however often it is handled. */
    async payday({ id, options }) {
      const amount = options.getNumber('amount', true);
      const mentions = options.getString('members', true).matchAll(/<@!?(\d+)>/g);
      const users = await Promise.all(
        Array.from(mentions, ([, chatId]) => guildbook.getUser(`chat:${chatId}`)),
      );
      const results = await guildbook.postBatch(
        users.map(({ playerId }) => ({ playerId, name: 'Payday', quantity: 1, amount, source: 'payday' })),
        { idempotencyKey: `payday ${id}` },
      );
      return users.map(({ username }, index) => `${username} now has ${results[index]?.balance}.`).join('\n');
    },
    /** Shows who has most. */
    async top() {
      const { items } = await guildbook.listAccounts({ limit: 10 });
      return items.map(({ rank, playerId, balance }) => `${rank}. ${playerId}: ${balance}`).join('\n');
    },
    /** Takes a payment back, both sides of it. */
    async undo({ id, options }) {
      const { paymentId } = await guildbook.getTransaction(options.getString('transaction', true));
      const sides: string[] = [];
      for await (const entry of guildbook.history()) {
        if (entry.paymentId === paymentId && paymentId !== null) sides.push(entry.transactionId);
        if (sides.length === 2) break;
      }
      await guildbook.reverseAll(sides, { reason: 'Undone in the chat', idempotencyKey: `undo ${id}` });
      return 'The payment was taken back.';
    },
  };

  gateway.on('interactionCreate', async (interaction) => {
    const command = commands[interaction.commandName];
    if (!interaction.isChatInputCommand() || command === undefined) return;
    await interaction.deferReply();
    const text = await command(interaction).catch((error: Error) => `That did not work: ${error.message}`);
    await interaction.editReply(text);
  });
}
