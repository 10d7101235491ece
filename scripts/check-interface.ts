import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createBotClient, createClient } from '@guildbook/client';
import { COMMAND, DISCHARGE, TRANSFER } from './interface-records.ts';
import {
  refused,
  sendAccounts,
  sendGroups,
  sendGuildRecords,
  sendHistory,
  sendKey,
  sendWebhooks,
} from './interface-requests.ts';
import { ROOT, read } from './run.ts';

// npm run check:interface
//
// Puts Prism between the client library and the service, and sends requests of every kind. Prism knows only
// docs/openapi.json, and names each request or answer that the document does not allow.

const PRISM = '@stoplight/prism-cli@5.16.0';
const PROGRAM = path.join(ROOT, 'server/bin/guildbook.js');
const REQUESTS_MIN = 60;
const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch']);
const BOT_TOKEN = 'check-interface-0123456789-abcdefghijk';
const GUILD = '814203957731622912';
const STRICT_GUILD = '736602157731622001';
const GUILD_FACTS = { name: 'Emberhold', plan: 'developer', planUntil: '2027-12-31' } as const;

const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-interface-'));
const env = {
  PORT: '0',
  METRICS_PORT: 'off',
  DATABASE_URL: `sqlite:${folder}/guildbook.db`,
  BOT_TOKEN,
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
};
const children: ChildProcess[] = [];
const seen: { request: string; status: number; violations: string | null }[] = [];

try {
  const service = await start(process.execPath, [PROGRAM, 'serve'], /"address":"([^"]+)"/);
  const port = await findPort();
  const args = ['exec', '--yes', '--package', PRISM, '--', 'prism', 'proxy', 'docs/openapi.json', service];
  const prism = await start('npm', [...args, '--port', String(port)], /listening on (http:\/\/\S+)/);
  await sendAll(prism);
} finally {
  for (const child of children) {
    // npm starts Prism as a child of its own, so the whole group is ended.
    process.kill(-Number(child.pid), 'SIGTERM');
  }
  await Promise.all(children.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined)));
  rmSync(folder, { recursive: true });
}
report();

async function sendAll(baseUrl: string): Promise<void> {
  const bot = createBotClient({ baseUrl, botToken: BOT_TOKEN, fetch: recordingFetch });
  await bot.setGuild(GUILD, GUILD_FACTS);
  await bot.setGuild(STRICT_GUILD, { ...GUILD_FACTS, settings: { overdraftAllowed: false } });
  await sendRecords(baseUrl);
  await sendImports(baseUrl);
  await sendReads(baseUrl);
  await sendLedger(baseUrl);
  await sendGuildRoutes(baseUrl);
}

async function sendRecords(baseUrl: string): Promise<void> {
  const bot = createBotClient({ baseUrl, botToken: BOT_TOKEN, fetch: recordingFetch });
  await bot.setGuild(GUILD, { name: 'Emberhold', icon: 'a_1', ownerChatId: '1', planUntil: null });
  await bot.setGuild(GUILD, { ...GUILD_FACTS, icon: null, ownerChatId: null });
  await bot.getGuild(GUILD);
  await bot.listGuilds();
  await refused(404, bot.getGuild('nobody'));
  await bot.putDischarge(GUILD, 'dis_1', DISCHARGE);
  await bot.putDischarge(GUILD, 'dis_1', { ...DISCHARGE, date: '2026-03-14T10:00:00Z', reason: '' });
  await bot.addDischarge(GUILD, DISCHARGE);
  await refused(404, bot.putDischarge('nobody', 'dis_1', DISCHARGE));
  await bot.putDischarge(GUILD, 'dis_2', DISCHARGE);
  await bot.deleteDischarge(GUILD, 'dis_2');
  await bot.deleteDischarge(GUILD, 'dis_2');
  await bot.putTransfer(GUILD, 'trf_1', TRANSFER);
  await bot.putTransfer(GUILD, 'trf_1', { ...TRANSFER, to: '' });
  await bot.addTransfer(GUILD, TRANSFER);
  await bot.putTransfer(GUILD, 'trf_2', TRANSFER);
  await bot.deleteTransfer(GUILD, 'trf_2');
  await bot.deleteTransfer(GUILD, 'trf_2');
  await bot.verifyUser(DISCHARGE.chatId, { playerId: '31177205', username: 'rowan77' });
  await bot.verifyUser(DISCHARGE.chatId, { playerId: '48213977', username: 'Rowan_Ashford' });
  await bot.verifyUser('900', { playerId: '901', username: 'gone', pastUsers: [] });
  await bot.forgetUser('900');
  await bot.forgetUser('900');
  const { etag } = await bot.replaceCommands([COMMAND]);
  await bot.replaceCommands([COMMAND, { ...COMMAND, name: 'pay', preconditions: [] }], { ifMatch: etag });
  await refused(412, bot.replaceCommands([COMMAND], { ifMatch: etag }));
  await bot.readCommands();
  const wrong = createBotClient({ baseUrl, botToken: `${BOT_TOKEN}-wrong`, fetch: recordingFetch });
  await refused(401, wrong.listGuilds());
  for (const [kind, body] of [['discharges', DISCHARGE] as const, ['transfers', TRANSFER] as const]) {
    await recordingFetch(`${baseUrl}/bot/guilds/${GUILD}/${kind}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${BOT_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
}

async function sendImports(baseUrl: string): Promise<void> {
  const bot = createBotClient({ baseUrl, botToken: BOT_TOKEN, fetch: recordingFetch });
  const person = { chatId: '4711', playerId: '815', username: 'Wren' };
  const transaction = {
    guildId: GUILD,
    playerId: '815',
    transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5d',
    amount: 12.5,
    quantity: 3,
    name: 'Iron Ingot',
    source: 'shop',
    createdAt: '2025-11-14T20:15:30.123Z',
  };
  await drain(bot.importRecords('verifications', [person, { ...person, username: '' }]));
  await drain(bot.importRecords('verifications', [{ ...person, pastUsers: [] }]));
  await drain(bot.importRecords('discharges', [{ ...DISCHARGE, id: 'dis_3' }], { guildId: GUILD }));
  await drain(bot.importRecords('discharges', [{ ...DISCHARGE, id: 'dis_3' }]));
  await drain(bot.importRecords('transfers', [{ ...TRANSFER, id: 'trf_3', guildId: GUILD }]));
  await drain(bot.importRecords('transactions', [transaction, transaction]));
  const many = Array.from({ length: 1_100 }, (_, index) => ({ ...DISCHARGE, id: `many_${index}` }));
  await drain(bot.importRecords('discharges', many, { guildId: GUILD }));
  await recordingFetch(`${baseUrl}/bot/import/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${BOT_TOKEN}`, 'content-type': 'application/x-ndjson' },
    body: `${JSON.stringify(COMMAND)}\n`,
  });
}

async function sendReads(baseUrl: string): Promise<void> {
  const reader = createClient({ baseUrl, apiKey: createKey(GUILD), fetch: recordingFetch });
  await reader.getDischarge('dis_1');
  await refused(404, reader.getDischarge('dis_9'));
  await reader.getTransfer('trf_1');
  await refused(404, reader.getTransfer('trf_9'));
  for (const query of ['rowan_ashford', 'chat:4711', 'player:815', 'name:rowan77']) {
    await reader.getUser(query);
  }
  await refused(404, reader.getUser('nobody'));
  await reader.listCommands();
  await reader.listCommands({ category: 'economy' });
  await reader.listCommands({ category: 'none of them' });
  const narrow = createClient({ baseUrl, apiKey: createKey(GUILD, 'users:read'), fetch: recordingFetch });
  await refused(403, narrow.getDischarge('dis_1'));
  await refused(403, narrow.getTransfer('trf_1'));
  const unknown = createClient({ baseUrl, apiKey: 'gbk_nobody', fetch: recordingFetch });
  await refused(401, unknown.getDischarge('dis_1'));
  await refused(401, unknown.getTransfer('trf_1'));
}

async function sendLedger(baseUrl: string): Promise<void> {
  const post = { playerId: '48213977', name: 'Iron Ingot', quantity: 3, amount: 12.5, source: 'shop' };
  const ledger = createClient({ baseUrl, apiKey: createKey(GUILD), fetch: recordingFetch });
  await ledger.postTransaction(post, { idempotencyKey: 'first' });
  await ledger.postTransaction(post, { idempotencyKey: 'first' });
  await refused(422, ledger.postTransaction({ ...post, amount: 1 }, { idempotencyKey: 'first' }));
  await ledger.postTransaction({ ...post, amount: -0.0001, withdrawal: true });
  await ledger.postTransaction({ ...post, deposit: true, withdrawal: false });
  await refused(400, ledger.postTransaction({ ...post, withdrawal: true }));
  const strict = createClient({ baseUrl, apiKey: createKey(STRICT_GUILD), fetch: recordingFetch });
  await refused(400, strict.postTransaction({ ...post, amount: -1 }));
  const queries = [
    {},
    { page: 2, limit: 1 },
    { sortBy: 'amount', sortOrder: 'asc' },
    { sortBy: 'total', sortOrder: 'desc', minAmount: 0 },
    { maxAmount: 0, from: 'shop' },
    { minAmount: 1, maxAmount: 100, from: 'shop' },
  ] as const;
  for (const query of queries) {
    await ledger.listTransactions('48213977', query);
  }
  await ledger.listTransactions('nobody');
  await ledger.listTransactions('815', { sortBy: 'quantity' });
}

async function sendGuildRoutes(baseUrl: string): Promise<void> {
  const apiKey = createKey(GUILD, 'guild:read,guild:write,records:write,webhooks:manage');
  const client = createClient({ baseUrl, apiKey, fetch: recordingFetch });
  await sendGroups(client);
  await sendAccounts(client);
  await sendHistory(client);
  const records = { discharge: DISCHARGE, transfer: TRANSFER };
  await sendGuildRecords(client, records, async (method, address, body) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const init = { method, headers, body: JSON.stringify(body) };
    return (await recordingFetch(`${baseUrl}${address}`, init)).status;
  });
  await sendWebhooks(client);
  await sendKey(client);
}

/** Sends a request and notes what Prism says of it. */
async function recordingFetch(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const request = `${init.method ?? 'GET'} ${new URL(url).pathname}`;
  seen.push({ request, status: response.status, violations: response.headers.get('sl-violations') });
  return response;
}

async function drain(lines: AsyncIterable<unknown>): Promise<void> {
  for await (const _line of lines) {
    // Each line was checked by the client.
  }
}

function createKey(guildId: string, scopes = 'guild:read,guild:write,users:read'): string {
  const args = ['key', 'create', '--guild', guildId, '--name', 'check', '--scopes', scopes];
  return JSON.parse(read(process.execPath, [PROGRAM, ...args, '--expires', '1d', '--json'], { env })).key;
}

/** Starts a program and waits for the line with its address. */
async function start(program: string, args: readonly string[], pattern: RegExp): Promise<string> {
  const child = spawn(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface(child.stdout)) {
    const address = pattern.exec(line)?.[1];
    if (address !== undefined) {
      child.stdout.resume();
      return address;
    }
  }
  throw new Error(`${program} ended before it listened`);
}

async function findPort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function report(): void {
  const violations = seen.filter((one) => one.violations !== null);
  for (const { request, status, violations: text } of violations) {
    console.error(`${request} (${status}): ${text}`);
  }
  const unasked = listOperations().filter(
    ({ pattern }) => !seen.some(({ request }) => pattern.test(request)),
  );
  for (const { name } of unasked) {
    console.error(`${name}: no request was sent`);
  }
  console.log(
    `${seen.length} requests through Prism to ${listOperations().length - unasked.length} operations, ${violations.length} violations.`,
  );
  if (violations.length > 0 || unasked.length > 0 || seen.length < REQUESTS_MIN) {
    process.exitCode = 1;
  }
}

/** The operations of docs/openapi.json. */
function listOperations(): { name: string; pattern: RegExp }[] {
  const { paths } = JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8'));
  return Object.entries<object>(paths).flatMap(([address, item]) =>
    Object.keys(item)
      .filter((key) => METHODS.has(key))
      .map((method) => {
        const name = `${method.toUpperCase()} ${address}`;
        return { name, pattern: new RegExp(`^${name.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`) };
      }),
  );
}
