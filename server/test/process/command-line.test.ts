import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';

const GUILD = '814203957731622912';

/** A folder with a guild that has a plan, where command lines can be run. */
async function createPlace(plan = 'developer') {
  const cwd = createFolder();
  const run = (...args: string[]) => runCommand(args, { cwd });
  const made = await run('guild', 'set', GUILD, '--name', 'Emberhold', '--plan', plan);
  expect(made.status).toBe(0);
  return { cwd, run };
}

function keyArguments(changes: Record<string, string> = {}): string[] {
  const options = { guild: GUILD, name: 'bot', scopes: 'guild:read,users:read', expires: '90d', ...changes };
  return ['key', 'create', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])];
}

describe.concurrent('guilds', () => {
  test('a guild is set, shown, listed and changed without losing the rest', async () => {
    const { run } = await createPlace();
    const changed = await run(
      'guild',
      'set',
      GUILD,
      '--until',
      '2031-05-01',
      '--overdraft',
      'forbid',
      '--json',
    );
    expect(JSON.parse(changed.stdout)).toMatchObject({
      guildId: GUILD,
      name: 'Emberhold',
      plan: 'developer',
      planUntil: '2031-05-01T00:00:00.000Z',
      overdraftAllowed: false,
    });
    const [shown, listed] = await Promise.all([
      run('guild', 'show', GUILD, '--json'),
      run('guild', 'list', '--json'),
    ]);
    expect(JSON.parse(listed.stdout)).toEqual([JSON.parse(shown.stdout)]);
  });

  test('a new guild needs a name, and an unknown one cannot be shown', async () => {
    const { run } = await createPlace();
    const [nameless, unknown] = await Promise.all([run('guild', 'set', '2'), run('guild', 'show', '2')]);
    expect(nameless).toMatchObject({ status: 1, stderr: 'guildbook: a new guild needs a name\n' });
    expect(unknown).toMatchObject({ status: 1, stderr: 'guildbook: there is no guild 2\n' });
  });

  test('a guild set up without naming a plan gets DEFAULT_PLAN', async () => {
    const cwd = createFolder();
    const env = { DEFAULT_PLAN: 'enterprise' };
    const made = await runCommand(['guild', 'set', '1', '--name', 'One', '--json'], { cwd, env });
    expect(JSON.parse(made.stdout).plan).toBe('enterprise');
  });
});

describe.concurrent('keys', () => {
  test('a key is created, shown once, listed without its value and stored only as a hash', async () => {
    const { cwd, run } = await createPlace();
    const created = await run(...keyArguments(), '--json');
    const { key, ...facts } = JSON.parse(created.stdout);
    expect(key).toMatch(/^gbk_[0-9A-Za-z]{46}$/);
    expect(facts).toMatchObject({ guildId: GUILD, name: 'bot', scopes: ['guild:read', 'users:read'] });
    const listed = await run('key', 'list', '--guild', GUILD, '--json');
    expect(JSON.parse(listed.stdout)).toEqual([facts]);
    const db = new DatabaseSync(path.join(cwd, 'data', 'guildbook.db'), { readOnly: true });
    expect(JSON.stringify(db.prepare('SELECT * FROM api_key').all())).not.toContain(key.slice(12));
    db.close();
  });

  test.each([
    ['none', undefined, 'this guild has none'],
    ['developer', '2020-01-01', "this guild's developer plan ended on 2020-01-01T00:00:00.000Z"],
  ])('with plan %s until %s no key is made, and the reason is said', async (plan, until, reason) => {
    const { run } = await createPlace();
    await run('guild', 'set', GUILD, '--plan', plan, ...(until === undefined ? [] : ['--until', until]));
    const refused = await run(...keyArguments());
    expect(refused.status).toBe(1);
    expect(refused.stderr).toBe(
      `guildbook: creating a key needs an active Developer or Enterprise plan, and ${reason}\n`,
    );
    expect((await run('key', 'list', '--guild', GUILD)).stdout).toBe('This guild has no keys.\n');
  });

  test.each(['2020-01-01', '400d', '0h'])('the expiry %s is refused', async (expires) => {
    const { run } = await createPlace();
    const refused = await run(...keyArguments({ expires }));
    expect(refused).toMatchObject({
      status: 1,
      stderr: 'guildbook: the expiry must lie between 1 hour and 366 days ahead\n',
    });
  });

  test('a key deleted on the command line is refused by a running server at once', async () => {
    const { cwd, run } = await createPlace();
    const { key, id } = JSON.parse((await run(...keyArguments(), '--json')).stdout);
    const server = await startServer({ cwd });
    const ask = () => fetch(`${server.address}/users/nobody`, { headers: { 'x-api-key': key } });
    expect((await ask()).status).toBe(404);
    expect(await run('key', 'delete', id)).toMatchObject({ status: 0 });
    expect((await ask()).status).toBe(401);
    expect(await run('key', 'delete', id)).toMatchObject({
      status: 1,
      stderr: `guildbook: there is no key ${id}\n`,
    });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });
  });

  test('the last use of a key is written down by the time the server has stopped', async () => {
    const { cwd, run } = await createPlace();
    const { key } = JSON.parse((await run(...keyArguments(), '--json')).stdout);
    const server = await startServer({ cwd });
    await fetch(`${server.address}/users/nobody`, { headers: { 'x-api-key': key } });
    server.child.kill('SIGTERM');
    await server.ended;
    const [listed] = JSON.parse((await run('key', 'list', '--guild', GUILD, '--json')).stdout);
    expect(Date.parse(listed.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(listed.createdAt));
  });
});

describe.concurrent('tools', () => {
  test('config prints every setting with its source, and all faults at once', async () => {
    const cwd = createFolder();
    const env = { PORT: '70000', LOG_LEVEL: 'loud', KEY_LIFETIME_DAYS_MAX: '30' };
    const result = await runCommand(['config', '--json'], { cwd, env });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('PORT: must be an integer from 0 to 65535');
    expect(result.stderr).toContain('LOG_LEVEL: must be one of');
    const settings = JSON.parse(result.stdout);
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'KEY_LIFETIME_DAYS_MAX', value: '30', source: 'environment' }),
    );
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'HOST', value: '127.0.0.1', source: 'default' }),
    );
  });

  test('config shows that the token of the bot is set, and not what it is; a short one is refused', async () => {
    const cwd = createFolder();
    const token = 'tests-0123456789-abcdefghijklmnopqrstuvwxyz';
    const [set, short] = await Promise.all([
      runCommand(['config', '--json'], { cwd, env: { BOT_TOKEN: token } }),
      runCommand(['config'], { cwd, env: { BOT_TOKEN: token.slice(0, 31) } }),
    ]);
    expect(JSON.parse(set.stdout)).toContainEqual(
      expect.objectContaining({ name: 'BOT_TOKEN', value: '(set)' }),
    );
    expect(short).toMatchObject({ status: 1 });
    expect(short.stderr).toContain('BOT_TOKEN: must have at least 32 printable characters and no blanks');
    expect(set.stdout + short.stdout + short.stderr).not.toContain(token.slice(0, 20));
  });

  test('serve refuses a faulty configuration before it touches anything', async () => {
    const cwd = createFolder();
    const result = await runCommand(['serve'], {
      cwd,
      env: { DATABASE_URL: 'mysql://x', TRUST_PROXY: 'all' },
    });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('DATABASE_URL: ');
    expect(result.stderr).toContain('TRUST_PROXY: ');
    expect(existsSync(path.join(cwd, 'data'))).toBe(false);
  });

  test('openapi prints the committed document', async () => {
    const result = await runCommand(['openapi'], { cwd: createFolder() });
    const committed = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
    expect(result.stdout).toBe(committed);
  });

  test('migrate applies the steps once', async () => {
    const cwd = createFolder();
    expect((await runCommand(['migrate'], { cwd })).stdout).toContain('1 foundation');
    expect((await runCommand(['migrate'], { cwd })).stdout).toBe('The store is up to date.\n');
  });

  test('a port in use is reported in words', async () => {
    const cwd = createFolder();
    const server = await startServer({ cwd });
    const { port } = new URL(server.address);
    const second = await runCommand(['serve'], { cwd, env: { PORT: port } });
    expect(second).toMatchObject({ status: 1 });
    expect(second.stderr).toBe(
      `guildbook: port ${port} is in use: set PORT to another one, as in PORT=3001\n`,
    );
    server.child.kill('SIGTERM');
    await server.ended;
  });
});

describe('the try-out', () => {
  test('makes its data once, prints lines that work, and starts again unchanged', async () => {
    const cwd = createFolder();
    const first = await startServer({ cwd, command: 'demo' });
    const replies = await Promise.all(
      printedRequests(first.output, first.address).map((line) => runPrinted(line)),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    first.child.kill('SIGINT');
    expect(await first.ended).toEqual({ status: 0, signal: null });
    const before = summary(cwd);
    expect(before).toMatchObject({ guilds: 3, keys: 1 });
    expect(statSync(path.join(cwd, 'data', 'demo.json')).mode & 0o777).toBe(0o600);

    const second = await startServer({ cwd, command: 'demo' });
    expect(second.output.join('\n')).not.toContain('Making sample data');
    const keyOf = (lines: string[]) => /gbk_\w+/.exec(lines.join('\n'))?.[0];
    expect(keyOf(second.output)).toBe(keyOf(first.output));
    second.child.kill('SIGINT');
    await second.ended;
    expect(summary(cwd)).toEqual(before);
  });

  test('refuses to serve other machines', async () => {
    const result = await runCommand(['demo'], { cwd: createFolder(), env: { HOST: '0.0.0.0' } });
    expect(result.status).toBe(1);
    expect(result.stderr).toContain('loopback only');
  });
});

function printedRequests(output: readonly string[], address: string): string[] {
  return output.filter((line) => line.trim().startsWith('curl') && line.includes(address));
}

/** Sends what a printed curl line would send. */
async function runPrinted(line: string): Promise<Response> {
  const url = /(http:\/\/[^' ]+)/.exec(line)?.[1] ?? '';
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const body = /-d '([^']+)'/.exec(line)?.[1];
  return fetch(url, {
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
}

function summary(cwd: string): unknown {
  const db = new DatabaseSync(path.join(cwd, 'data', 'guildbook.db'), { readOnly: true });
  const row = db
    .prepare(
      `SELECT (SELECT count(*) FROM guild) AS guilds, (SELECT count(*) FROM api_key) AS keys,
         (SELECT count(*) FROM ledger_transaction) AS transactions, (SELECT count(*) FROM command) AS commands,
         (SELECT max(created_at) FROM ledger_transaction) AS newest, (SELECT sum(last_used_at) FROM api_key) AS used`,
    )
    .get();
  db.close();
  return row;
}
