import type { GuildbookClient } from '@guildbook/client';
import {
  type ChatInputCommandInteraction,
  Client,
  type ClientOptions,
  Events,
  GatewayIntentBits,
  SlashCommandBuilder,
} from 'discord.js';

const COMMANDS = [
  new SlashCommandBuilder()
    .setName('payday')
    .setDescription('Pay members the same amount, all of them or none')
    .addStringOption((option) => option.setName('members').setDescription('Mentions').setRequired(true))
    .addNumberOption((option) => option.setName('amount').setDescription('For each').setRequired(true)),
  new SlashCommandBuilder().setName('top').setDescription('Show who has most'),
  new SlashCommandBuilder()
    .setName('undo')
    .setDescription('Take a payment back')
    .addStringOption((option) =>
      option.setName('transaction').setDescription('The id of one of its sides').setRequired(true),
    ),
];

/** A bot with `/payday`, `/top` and `/undo`. Start it with `await createBot(guildbook).login(token)`. */
export function createBot(guildbook: GuildbookClient, options: Partial<ClientOptions> = {}): Client {
  const bot = new Client({ intents: [GatewayIntentBits.Guilds], ...options });
  bot.once(Events.ClientReady, async ({ application }) => {
    await application.commands.set(COMMANDS);
  });
  bot.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isChatInputCommand()) return;
    await interaction.deferReply();
    const text = await answer(guildbook, interaction).catch((error) => `That did not work: ${error.message}`);
    await interaction.editReply({ content: text, allowedMentions: { parse: [] } });
  });
  return bot;
}

async function answer(guildbook: GuildbookClient, interaction: ChatInputCommandInteraction): Promise<string> {
  switch (interaction.commandName) {
    case 'payday':
      return payMembers(guildbook, interaction);
    case 'top':
      return showRichest(guildbook);
    case 'undo':
      return undoPayment(guildbook, interaction);
    default:
      return 'This bot does not know that command.';
  }
}

/** Pays every member named in one batch: all of them or none, and once however often the command is handled. */
async function payMembers(guildbook: GuildbookClient, { id, options }: ChatInputCommandInteraction) {
  const amount = options.getNumber('amount', true);
  const mentions = options.getString('members', true).matchAll(/<@!?(\d+)>/g);
  const users = await Promise.all(Array.from(mentions, ([, chatId]) => guildbook.getUser(`chat:${chatId}`)));
  const results = await guildbook.postBatch(
    users.map(({ playerId }) => ({ playerId, name: 'Payday', quantity: 1, amount, source: 'payday' })),
    { idempotencyKey: `payday ${id}` },
  );
  return users.map(({ username }, index) => `${username} now has ${results[index]?.balance}.`).join('\n');
}

async function showRichest(guildbook: GuildbookClient) {
  const { items } = await guildbook.listAccounts({ limit: 10 });
  return items.map(({ rank, playerId, balance }) => `${rank}. ${playerId}: ${balance}`).join('\n');
}

/** Reverses both sides of a payment; they follow one another in the ledger. */
async function undoPayment(guildbook: GuildbookClient, { id, options }: ChatInputCommandInteraction) {
  const { paymentId, number } = await guildbook.getTransaction(options.getString('transaction', true));
  if (paymentId === null) return 'That is no payment.';
  const near = await guildbook.readFeed({ after: Math.max(0, number - 2), limit: 3 });
  const sides = near.filter((entry) => entry.paymentId === paymentId);
  await guildbook.reverseAll(
    sides.map(({ transactionId }) => transactionId),
    { reason: 'Undone in the chat', idempotencyKey: `undo ${id}` },
  );
  return 'The payment was taken back.';
}
