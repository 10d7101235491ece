import { scrypt } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LOOKUPS_PER_GUILD_MAX } from '../../src/outgoing/names.ts';
import { createTestClock } from '../support/clock.ts';
import { createFolder } from '../support/folder.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { untilTrue } from '../support/patience.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { ALLOWED, createGuild } from './webhook-guild.ts';

/** Longer than any test: what waits for a silent name server waits until the test lets it go. */
const FOREVER_MS = 3_600_000;
const LOCAL = { address: '127.0.0.1', ttlSeconds: 1 };

let nameServer: NameServer;
let service: TestService;
let hostsFile: string;

beforeEach(async () => {
  nameServer = await startNameServer();
  hostsFile = path.join(createFolder(), 'hosts');
  writeFileSync(hostsFile, '# hosts\n127.0.0.1  in-the-file.test other\n');
  service = await startTestService(ALLOWED, {
    clock: createTestClock(Date.now()),
    webhooks: {
      nameServers: [nameServer.address],
      hostsFile,
      lookupTimeoutMs: FOREVER_MS,
      timeoutMs: FOREVER_MS,
    },
  });
});
afterEach(() => service.stop());

test('names without an answer hold up neither other deliveries nor names nor files nor hashing', async () => {
  const receiver = await startReceiver();
  const urlOf = (name: string) => receiver.url.replace('127.0.0.1', name);
  const silent: { guild: Awaited<ReturnType<typeof createGuild>>; id: string; name: string }[] = [];
  // Five guilds with four endpoints each: more than libuv has threads, and fewer than any bound of the service.
  for (let number = 0; number < 20; number += 1) {
    const guild = number % 4 === 0 ? await createGuild(service) : silent[number - 1]?.guild;
    if (guild === undefined) throw new Error('no guild');
    const name = `silent-${number}.test`;
    nameServer.answers.set(name, LOCAL);
    silent.push({ guild, name, id: (await guild.create({ url: urlOf(name) })).id });
  }
  nameServer.answers.clear();
  nameServer.answers.set('healthy.test', LOCAL);
  // The addresses from the creation are no longer valid.
  service.clock.advance(60_000);
  nameServer.asked.length = 0;
  for (const guild of new Set(silent.map((one) => one.guild))) {
    await guild.post();
  }
  await untilTrue(() => silent.every(({ name }) => nameServer.asked.includes(name)));

  const guild = await createGuild(service);
  await guild.create({ url: urlOf('healthy.test') });
  const transactionId = await guild.post();
  await receiver.until(1);
  expect(receiver.deliveries[0]?.json.data.transactionId).toBe(transactionId);
  expect(await readFile(hostsFile, 'utf8')).toContain('in-the-file.test');
  await promisify(scrypt)('password', 'salt', 32);
  // As a sign-in does, which asks the chat platform.
  expect((await lookup('localhost')).address).toBeTruthy();
  // All of it happened while every silent name was being resolved.
  for (const one of silent) {
    expect((await one.guild.show(one.id)).attempts).toEqual([]);
  }
});

test('a guild resolves a limited number of names at once, and others are not concerned', async () => {
  const guild = await createGuild(service);
  const input = (name: string) => ({
    url: `http://${name}:1/`,
    kind: 'standard',
    events: ['transaction.posted'],
  });
  const names = Array.from({ length: LOOKUPS_PER_GUILD_MAX }, (_, index) => `slow-${index}.test`);
  const creating = names.map((name) => guild.ask('POST', '/guild/webhooks', input(name)));
  await untilTrue(() => names.every((name) => nameServer.asked.includes(name)));
  const refused = await guild.ask('POST', '/guild/webhooks', input('one-more.test'));
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain('one-more.test: too many names of this guild are being resolved');
  expect(nameServer.asked).not.toContain('one-more.test');
  nameServer.answers.set('one-more.test', LOCAL);
  const stranger = await createGuild(service);
  expect((await stranger.ask('POST', '/guild/webhooks', input('one-more.test'))).status).toBe(200);
  // A process that stops does not wait for name servers.
  await service.stop();
  for (const reply of await Promise.all(creating)) {
    expect(reply.body.message).toMatch(/slow-\d\.test: its name server does not answer/);
  }
});

test('addresses are kept for a limited time, checked at each delivery, and asked for again', async () => {
  const receiver = await startReceiver();
  const guild = await createGuild(service);
  nameServer.answers.set('kept.test', { ...LOCAL, ttlSeconds: 86_400 });
  const { id } = await guild.create({ url: receiver.url.replace('127.0.0.1', 'kept.test') });
  await guild.post();
  await guild.post();
  await receiver.until(2);
  expect(nameServer.asked).toEqual(['kept.test']);
  nameServer.answers.set('kept.test', { address: '10.0.0.1', ttlSeconds: 86_400 });
  service.clock.advance(60_000);
  await guild.post();
  const { attempts } = await guild.untilAttempts(id, 3);
  expect(attempts[0].error).toBe(
    'kept.test is not on the public Internet; the operator can allow it with WEBHOOK_ALLOWED_NETWORKS',
  );
  expect(nameServer.asked).toEqual(['kept.test', 'kept.test']);
  expect(receiver.deliveries).toHaveLength(2);
});

test.each(['in-the-file.test', 'localhost', 'hooks.localhost'])(
  '%s is found without a name server',
  async (name) => {
    const receiver = await startReceiver();
    const guild = await createGuild(service);
    await guild.create({ url: receiver.url.replace('127.0.0.1', name) });
    await guild.post();
    const [delivery] = await receiver.until(1);
    expect(delivery?.headers.host).toBe(`${name}:${receiver.port}`);
    expect(nameServer.asked).toEqual([]);
  },
);
