import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBot } from '../examples/economy-bot.ts';
import { payout } from '../examples/payout.ts';
import { sell } from '../examples/shop.ts';
import { startDiscord } from './support/discord.ts';
import { countTransactions, type Place, startPlace } from './support/place.ts';
import { STRICT_GUILD_ID, transaction, VERIFICATIONS } from './support/specimens.ts';

const PAYDAY_ID = '700000000000000001';

let place: Place;
beforeAll(async () => {
  place = await startPlace();
});
afterAll(() => place.stop());

test('the payout pays every member once, however often the command is handled', async () => {
  const guildbook = place.connect();
  const chatIds = VERIFICATIONS.map(({ chatId }) => chatId);
  const before = countTransactions(place.file);
  const order = { messageId: '1', amount: 50.25, chatIds };
  const text = await payout(guildbook, order);
  expect(text).toBe('Rowan_Ashford now has 50.25.\nKestrelVane now has 50.25.');
  expect(await payout(guildbook, order)).toBe(text);
  expect(countTransactions(place.file)).toBe(before + 2);
});

test('the payout says who is not verified', async () => {
  await expect(payout(place.connect(), { messageId: '2', amount: 1, chatIds: ['404'] })).rejects.toThrow(
    'User not found',
  );
});

test('the shop sells what the player can afford, and nothing else', async () => {
  const guildbook = place.connect({}, { guildId: STRICT_GUILD_ID });
  await guildbook.postTransaction(transaction({ playerId: 'buyer', amount: 100, quantity: 1 }));
  const order = { id: '1', playerId: 'buyer', item: 'Sword', price: 60 };
  expect(await sell(guildbook, order)).toBe('You bought Sword and have 40 left.');
  const before = countTransactions(place.file);
  expect(await sell(guildbook, { ...order, id: '2' })).toBe('You cannot afford Sword.');
  expect(await sell(guildbook, order)).toBe('You bought Sword and have 40 left.');
  expect(countTransactions(place.file)).toBe(before);
});

test('the economy bot pays members in one batch, shows who has most, and takes a payment back', async () => {
  const guildbook = place.connect();
  const discord = await startDiscord();
  const bot = createBot(guildbook, discord.options);
  onTestFinished(() => bot.destroy());
  await bot.login('stub');
  expect(await discord.announced()).toEqual(['payday', 'top', 'undo']);
  const [one, other] = VERIFICATIONS;
  const members = VERIFICATIONS.map(({ chatId }) => `<@${chatId}>`).join(' ');
  const before = await guildbook.getAccounts(VERIFICATIONS.map(({ playerId }) => playerId));
  const balances = before.map(({ balance }) => balance + 1_000_000);
  const paid = VERIFICATIONS.map(({ username }, index) => `${username} now has ${balances[index]}.`).join(
    '\n',
  );
  expect(await discord.use('payday', { amount: 1_000_000, members }, PAYDAY_ID)).toBe(paid);
  // Discord may deliver an interaction twice.
  expect(await discord.use('payday', { amount: 1_000_000, members }, PAYDAY_ID)).toBe(paid);
  expect(await discord.use('top')).toMatch(/^1\. \d+: \d+/);
  const payment = await guildbook.pay({
    fromPlayerId: one?.playerId ?? '',
    toPlayerId: other?.playerId ?? '',
    amount: 5,
    name: 'Bet',
    source: 'chat',
  });
  expect(payment.from.balance).toBe((balances[0] ?? 0) - 5);
  expect(await discord.use('undo', { transaction: payment.to.transactionId })).toBe(
    'The payment was taken back.',
  );
  const after = await guildbook.getAccounts(VERIFICATIONS.map(({ playerId }) => playerId));
  expect(after.map(({ balance }) => balance)).toEqual(balances);
  expect(await discord.use('undo', { transaction: payment.to.transactionId })).toContain('has been reversed');
});

describe('the README', () => {
  const folder = new URL('../examples/', import.meta.url);
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  test.each(readdirSync(folder))('quotes examples/%s to the letter', (file) => {
    const fences = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
    expect(fences).toContain(readFileSync(new URL(file, folder), 'utf8'));
  });
});
