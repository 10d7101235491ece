import { createClient } from '@redis/client';
import { expect, test } from 'vitest';
import { makeCertificate } from '../support/certificate.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { startServer } from '../support/process.ts';
import { startRedis } from '../support/redis.ts';
import { limitChanges } from '../support/redis-log.ts';
import { findSparePort } from '../support/spare-port.ts';

const PASSWORD = 'p@ss/w:rd-9f1c';

test('Redis is reached by TLS, with a password and in the database of that number, and the password is told nobody', async () => {
  const folder = createFolder();
  const { certificate, key } = makeCertificate(folder);
  const tlsPort = await findSparePort();
  const tls = ['--tls-port', String(tlsPort), '--tls-cert-file', certificate, '--tls-key-file', key];
  const trust = ['--tls-ca-cert-file', certificate, '--tls-auth-clients', 'no'];
  const redis = await startRedis([...tls, ...trust, '--requirepass', PASSWORD]);
  const secret = encodeURIComponent(PASSWORD);
  const env = {
    REDIS_URL: `rediss://:${secret}@localhost:${tlsPort}/3`,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  const server = await startServer({ cwd: folder, env });
  const client = createClient({ url: `redis://:${secret}@127.0.0.1:${redis.port}/3`, RESP: 2 });
  await client.connect();
  // A request does not wait long for Redis: on a busy machine one or the other is counted without it, until Redis is
  // found again.
  await untilTrue(async () => {
    if (limitChanges(server.output).at(-1) !== 'shared') {
      return false;
    }
    const refused = await server.ask('/users/x', { headers: { 'x-api-key': 'wrong' } });
    expect(refused.status).toBe(401);
    return (await client.keys('guildbook:limit:*')).length > 0;
  });
  expect(await client.keys('guildbook:limit:*')).toEqual(['guildbook:limit:failed-authentication:127.0.0.1']);
  client.destroy();

  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });
  const log = server.output.join('\n');
  expect(log).toContain(`"redis":"localhost:${tlsPort}/3","msg":"rate limits are shared through Redis"`);
  const config = await runInShared(['config'], { cwd: folder, env });
  expect(config.status).toBe(0);
  for (const text of [log, config.stdout]) {
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(secret);
  }
});

test('a service starts without its Redis, says so once, and finds it later', async () => {
  const redis = await startRedis();
  await redis.kill();
  const server = await startServer({ cwd: createFolder(), env: { REDIS_URL: redis.url } });
  expect((await server.ask('/readyz')).status).toBe(200);
  expect((await server.ask('/users/x')).status).toBe(401);
  const says = (text: string) => server.output.filter((line) => line.includes(text)).length;
  expect(says('Redis is out of reach')).toBe(1);
  await redis.start();
  await untilTrue(() => says('rate limits are shared through Redis') > 0);
  expect(says('Redis is out of reach')).toBe(1);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });
});

test.each([
  'http://localhost',
  'redis://',
  'redis://localhost/x',
  'localhost:6379',
  'redis://a:%zz@localhost',
])('REDIS_URL=%s is refused', async (REDIS_URL) => {
  const result = await runInShared(['serve'], { cwd: createFolder(), env: { REDIS_URL } });
  expect(result.status).toBe(1);
  expect(result.stderr).toContain('REDIS_URL: must begin with redis:// or rediss://');
});
