import { readdirSync, readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { announce } from '../examples/announcer.ts';
import { createBot } from '../examples/economy-bot.ts';
import { payout } from '../examples/payout.ts';
import { sell } from '../examples/shop.ts';
import { receive } from '../examples/webhook-receiver.ts';
import { startDiscord } from './support/discord.ts';
import { countTransactions, type Place, startPlace } from './support/place.ts';
import { OTHER_GUILD_ID, STRICT_GUILD_ID, transaction, VERIFICATIONS } from './support/specimens.ts';

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

test('the announcer announces each transaction once, and continues where it was stopped', async () => {
  const guildbook = place.connect({}, { guildId: OTHER_GUILD_ID });
  const said: string[] = [];
  let position = 0;
  const run = async (count: number) => {
    const stop = new AbortController();
    await announce(guildbook, {
      loadPosition: async () => position,
      async savePosition(number) {
        position = number;
        if (said.length === count) stop.abort();
      },
      say: async (text) => void said.push(text),
      signal: stop.signal,
    });
  };
  await guildbook.postBatch(['a', 'b', 'c'].map((name) => transaction({ playerId: 'p', name })));
  await run(2);
  await run(3);
  await guildbook.postTransaction(transaction({ playerId: 'p', name: 'd' }));
  await run(4);
  expect(said).toEqual(['p: a, 37.5', 'p: b, 37.5', 'p: c, 37.5', 'p: d, 37.5']);
});

test('the receiver handles a genuine delivery once, and refuses everything else', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const data = { playerId: 'p', balance: -5, truncated: true };
  const body = JSON.stringify({ type: 'balance.below', timestamp: '2026-11-14T20:15:30.123Z', data });
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  const said: string[] = [];
  const seen = new Set<string>();
  const receiver = {
    secret,
    remember: async (id: string) => !seen.has(id) && seen.add(id).has(id),
    say: async (text: string) => void said.push(text),
  };
  const deliver = async (content: string) =>
    (await receive(new Request('http://127.0.0.1/', { method: 'POST', body: content, headers }), receiver))
      .status;
  expect([await deliver(body), await deliver(body), await deliver(`${body} `)]).toEqual([204, 204, 400]);
  expect(said).toEqual(['p has -5.']);
});

describe('the README', () => {
  const folder = new URL('../examples/', import.meta.url);
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

  test.each(readdirSync(folder))('quotes examples/%s to the letter', (file) => {
    const fences = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
    expect(fences).toContain(readFileSync(new URL(file, folder), 'utf8'));
  });
});
