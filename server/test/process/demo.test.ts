import { statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createSampleGuilds, SAMPLE_SEED } from '../../src/demo/sample-data/index.ts';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { untilTrue } from '../support/patience.ts';
import { runCommand, type ServerProcess, startServer } from '../support/process.ts';
import { readStore } from '../support/read-store.ts';

test('the demo makes its data once, prints lines that work and who can sign in, and starts again unchanged', async () => {
  const cwd = createFolder();
  const first = await startServer({ cwd, command: 'demo' });
  await untilTrue(() => first.output.some((line) => line.startsWith('Stop it with Ctrl-C')));
  const replies = await Promise.all(
    printedRequests(first.output, first.address).map((line) => runPrinted(first, line)),
  );
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
  expect((await verifyAsBot(first)).status).toBe(200);
  const people = await signInWithPlatform(first);
  first.child.kill('SIGINT');
  expect(await first.ended).toEqual({ status: 0, signal: null });
  expect(people).toHaveLength(6);
  for (const name of people) {
    expect(first.output.join('\n')).toContain(name);
  }
  const before = summary(cwd);
  expect(before).toMatchObject({ guilds: 3, keys: 1 });
  expect(statSync(path.join(cwd, 'data', 'demo.json')).mode & 0o777).toBe(0o600);

  const second = await startServer({ cwd, command: 'demo' });
  await untilTrue(() => second.output.some((line) => line.startsWith('Stop it with Ctrl-C')));
  expect(botTokenOf(second)).toBe(botTokenOf(first));
  expect((await verifyAsBot(second)).status).toBe(200);
  second.child.kill('SIGTERM');
  expect(await second.ended).toEqual({ status: 0, signal: null });
  expect(second.output.join('\n')).not.toContain('Making sample data');
  const keyOf = (lines: string[]) => /gbk_\w+/.exec(lines.join('\n'))?.[0];
  expect(keyOf(second.output)).toBe(keyOf(first.output));
  expect(summary(cwd)).toEqual(before);
});

test('the demo leaves a store alone that is not its own, and serve one that is', async () => {
  const cwd = createFolder();
  const run = (args: readonly string[], env: Record<string, string>) => runInShared(args, { cwd, env });
  const [own, demos] = [{ DATABASE_URL: 'sqlite:own.db' }, { DATABASE_URL: 'sqlite:demo.db' }];
  await run(['guild', 'set', '1', '--name', 'One'], own);
  const refused = await run(['demo'], own);
  expect(refused).toMatchObject({ status: 1 });
  expect(refused.stderr).toContain("DATABASE_URL names a store that is not the demo's");

  const [sample] = createSampleGuilds(SAMPLE_SEED);
  await run(['guild', 'set', sample?.guildId ?? '', '--name', sample?.name ?? ''], demos);
  const served = await runCommand(['serve'], { cwd, env: { ...demos, PORT: '0' } });
  expect(served.status).toBe(1);
  expect(served.stderr).toMatch(/^guildbook: this store has the sample data .*\n {2}Name another one.*\n$/);
  const allowed = await startServer({ cwd, env: demos, args: ['--allow-sample-data'] });
  allowed.child.kill('SIGTERM');
  expect(await allowed.ended).toEqual({ status: 0, signal: null });
});

test('the demo refuses to serve other machines', async () => {
  const result = await runInShared(['demo'], { cwd: createFolder(), env: { HOST: '0.0.0.0' } });
  expect(result.status).toBe(1);
  expect(result.stderr).toContain('loopback only');
});

function botTokenOf({ output }: ServerProcess): string {
  return /Bot token {2}(\S+)/.exec(output.join('\n'))?.[1] ?? '';
}

/** Sends the same verification each time, so that a repeat changes nothing. */
function verifyAsBot(server: ServerProcess): Promise<Response> {
  return server.ask('/bot/users/900100', {
    method: 'PUT',
    headers: { authorization: `Bearer ${botTokenOf(server)}`, 'content-type': 'application/json' },
    body: JSON.stringify({ playerId: '700123', username: 'wren_of_ashby' }),
  });
}

/** Signs in as the first person of the demo's own chat platform. Returns the names of those who could be picked. */
async function signInWithPlatform(server: ServerProcess): Promise<string[]> {
  const begin = await server.ask('/dashboard/api/sign-in', { redirect: 'manual' });
  const authorizeUrl = begin.headers.get('location') ?? '';
  const page = await (await fetch(authorizeUrl)).text();
  const [person = ''] = /(?<=value=")\d+/.exec(page) ?? [];
  const consent = await fetch(authorizeUrl, {
    method: 'POST',
    body: new URLSearchParams({ person }),
    redirect: 'manual',
  });
  const [cookie = ''] = (begin.headers.get('set-cookie') ?? '').split(';');
  const back = await fetch(consent.headers.get('location') ?? '', {
    headers: { cookie },
    redirect: 'manual',
  });
  expect(back.headers.get('location')).toBe('/dashboard/');
  const [session = ''] = (back.headers.get('set-cookie') ?? '').split(';');
  const guilds = await server.ask('/dashboard/api/guilds', { headers: { cookie: session } });
  expect(await guilds.json()).toMatchObject({
    data: [
      { role: 'manager', state: 'ready' },
      { state: 'unknown' },
      { role: null, state: 'ready', hasOwnAccount: true },
    ],
  });
  return Array.from(page.matchAll(/class="name">([^<]+)</g), ([, name = '']) => name);
}

function printedRequests(output: readonly string[], address: string): string[] {
  return output.filter((line) => line.trim().startsWith('curl') && line.includes(address));
}

/** Sends what a printed curl line would send. */
async function runPrinted(server: ServerProcess, line: string): Promise<Response> {
  const url = /(http:\/\/[^' ]+)/.exec(line)?.[1] ?? '';
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const body = /-d '([^']+)'/.exec(line)?.[1];
  return server.ask(url.slice(server.address.length), {
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
}

function summary(cwd: string): unknown {
  return readStore(path.join(cwd, 'data', 'demo.db'), (db) =>
    db
      .prepare(
        `SELECT (SELECT count(*) FROM guild) AS guilds, (SELECT count(*) FROM api_key) AS keys,
           (SELECT count(*) FROM ledger_transaction) AS transactions, (SELECT count(*) FROM command) AS commands,
           (SELECT max(created_at) FROM ledger_transaction) AS newest, (SELECT sum(last_used_at) FROM api_key) AS used`,
      )
      .get(),
  );
}
