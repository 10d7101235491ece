import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';
import { readStore } from '../support/read-store.ts';

const GUILD = '814203957731622912';

/** A folder with a guild that has a plan, where command lines can be run. */
async function createPlace(plan = 'developer') {
  const cwd = createFolder();
  const run = (...args: string[]) => runInShared(args, { cwd });
  const made = await run('guild', 'set', GUILD, '--name', 'Emberhold', '--plan', plan);
  expect(made.status).toBe(0);
  return { cwd, run };
}

function keyArguments(changes: Record<string, string> = {}): string[] {
  const options = { guild: GUILD, name: 'bot', scopes: 'guild:read,users:read', expires: '90d', ...changes };
  return ['key', 'create', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])];
}

describe('accounts', () => {
  test('a floor is set, logged and taken away; a player without an account has none', async () => {
    const { cwd, run } = await createPlace();
    const line = {
      transactionId: '019a7f4c-52e1-7c3b-9d0e-6f1f2a8b4c5d',
      playerId: 'p',
      quantity: 1,
      amount: 5,
    };
    const record = { ...line, name: 'n', source: 's', createdAt: '2026-01-01T00:00:00Z' };
    writeFileSync(path.join(cwd, 'one.ndjson'), JSON.stringify(record));
    expect((await run('import', 'transactions', 'one.ndjson', '--guild', GUILD)).status).toBe(0);
    const set = (playerId: string, floor: string) =>
      run('account', 'set', playerId, '--guild', GUILD, `--floor=${floor}`, '--json');
    expect(JSON.parse((await set('p', '-500')).stdout)).toEqual({
      guildId: GUILD,
      playerId: 'p',
      floor: -500,
    });
    const floorOf = () =>
      readStore(path.join(cwd, 'data', 'guildbook.db'), (db) =>
        db.prepare('SELECT floor FROM account').get(),
      );
    expect(floorOf()).toEqual({ floor: -5_000_000 });
    expect(JSON.parse((await set('p', 'none')).stdout)).toMatchObject({ floor: null });
    expect(floorOf()).toEqual({ floor: null });
    const unknown = await set('q', '0');
    expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining('no account yet')]);
    expect((await set('p', 'much')).status).toBe(2);
  });
});

describe('guilds', () => {
  test('a guild is set, shown, listed and changed without losing the rest', async () => {
    const { cwd } = await createPlace();
    // As processes of their own, which have to end by themselves.
    const run = (...args: string[]) => runCommand(args, { cwd });
    const changed = await run(
      ...['guild', 'set', GUILD, '--until', '2031-05-01', '--overdraft', 'forbid', '--json'],
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
    const made = await runInShared(['guild', 'set', '1', '--name', 'One', '--json'], { cwd, env });
    expect(JSON.parse(made.stdout).plan).toBe('enterprise');
  });
});

describe('keys', () => {
  test('a key is created, shown once, listed without its value and stored only as a hash', async () => {
    const { cwd, run } = await createPlace();
    const created = await run(...keyArguments(), '--json');
    const { key, ...facts } = JSON.parse(created.stdout);
    expect(key).toMatch(/^gbk_[0-9A-Za-z]{46}$/);
    expect(facts).toMatchObject({ guildId: GUILD, name: 'bot', scopes: ['guild:read', 'users:read'] });
    const listed = await run('key', 'list', '--guild', GUILD, '--json');
    expect(JSON.parse(listed.stdout)).toEqual([facts]);
    const file = path.join(cwd, 'data', 'guildbook.db');
    const stored = readStore(file, (db) => db.prepare('SELECT * FROM api_key').all());
    expect(JSON.stringify(stored)).not.toContain(key.slice(12));
  });

  test('a key gets a new value, a name, networks and limits, and its use is shown', async () => {
    const { run } = await createPlace();
    const { key, id, expiresAt } = JSON.parse((await run(...keyArguments(), '--json')).stdout);
    const rotated = JSON.parse((await run('key', 'rotate', id, '--overlap', '7d', '--json')).stdout);
    expect(rotated).toMatchObject({
      id,
      guildId: GUILD,
      name: 'bot',
      scopes: ['guild:read', 'users:read'],
      expiresAt,
    });
    expect(rotated.key).not.toBe(key);
    expect(Date.parse(rotated.formerUntil)).toBeGreaterThan(Date.now() + 6 * 86_400_000);
    const again = await run('key', 'rotate', id);
    expect(again.stdout).toMatch(
      /^gbk_\w{46}\n\nThis is the only time[^\n]+The value before no longer works\.\n/,
    );
    const set = await run(
      ...[
        'key',
        'set',
        id,
        '--name',
        'Shop',
        '--note',
        'On the shop server',
        '--networks',
        '203.0.113.0/24,2001:db8::1',
      ],
      ...['--amount-max', '12.5', '--withdrawn-per-day-max', '100', '--json'],
    );
    expect(JSON.parse(set.stdout)).toMatchObject({
      name: 'Shop',
      note: 'On the shop server',
      networks: ['203.0.113.0/24', '2001:db8::1/128'],
      limits: { amountMax: 12.5, withdrawnPerDayMax: 100 },
    });
    expect(set.stderr).toContain('TRUST_PROXY is not set');
    const cleared = await run(
      'key',
      'set',
      id,
      '--networks',
      'none',
      '--note',
      'none',
      '--amount-max',
      'none',
      '--json',
    );
    expect(JSON.parse(cleared.stdout)).toMatchObject({
      name: 'Shop',
      note: null,
      networks: [],
      limits: { amountMax: null, withdrawnPerDayMax: 100 },
    });
    expect((await run('key', 'usage', id, '--guild', GUILD)).stdout).toContain('was not used');
    for (const overlap of ['8d', '169h', '-1', 'soon']) {
      expect((await run('key', 'rotate', id, '--overlap', overlap)).status).toBe(2);
    }
    expect(await run('key', 'rotate', 'nothing')).toMatchObject({
      status: 1,
      stderr: 'guildbook: there is no key nothing\n',
    });
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

  test('an expiry in the past, too soon or too far ahead is refused', async () => {
    const { run } = await createPlace();
    for (const expires of ['2020-01-01', '400d', '0h']) {
      expect(await run(...keyArguments({ expires }))).toMatchObject({
        status: 1,
        stderr: 'guildbook: the expiry must lie between 1 hour and 366 days ahead\n',
      });
    }
  });

  test('a key deleted on the command line is refused by a running server at once, and its last use is kept', async () => {
    const { cwd, run } = await createPlace();
    const [used, deleted] = [
      JSON.parse((await run(...keyArguments(), '--json')).stdout),
      JSON.parse((await run(...keyArguments(), '--json')).stdout),
    ];
    const server = await startServer({ cwd });
    const ask = async ({ key }: { key: string }) =>
      (await server.ask('/users/nobody', { headers: { 'x-api-key': key } })).status;
    expect(await ask(used)).toBe(404);
    expect(await ask(deleted)).toBe(404);
    expect(await run('key', 'delete', deleted.id)).toMatchObject({ status: 0 });
    expect(await ask(deleted)).toBe(401);
    expect(await run('key', 'delete', deleted.id)).toMatchObject({
      status: 1,
      stderr: `guildbook: there is no key ${deleted.id}\n`,
    });
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ status: 0, signal: null });
    // It is written down by the time the server has stopped.
    const [listed] = JSON.parse((await run('key', 'list', '--guild', GUILD, '--json')).stdout);
    expect(listed.id).toBe(used.id);
    expect(Date.parse(listed.lastUsedAt)).toBeGreaterThanOrEqual(Date.parse(listed.createdAt));
  });
});

describe('tools', () => {
  test('config prints every setting with its source, and all faults at once', async () => {
    const cwd = createFolder();
    const env = { PORT: '70000', LOG_LEVEL: 'loud', KEY_LIFETIME_DAYS_MAX: '30' };
    const result = await runInShared(['config', '--json'], { cwd, env });
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
    const set = await runInShared(['config', '--json'], { cwd, env: { BOT_TOKEN: token } });
    const short = await runInShared(['config'], { cwd, env: { BOT_TOKEN: token.slice(0, 31) } });
    expect(JSON.parse(set.stdout)).toContainEqual(
      expect.objectContaining({ name: 'BOT_TOKEN', value: '(set)' }),
    );
    expect(short).toMatchObject({ status: 1 });
    expect(short.stderr).toContain('BOT_TOKEN: must have at least 32 printable characters and no blanks');
    expect(set.stdout + short.stdout + short.stderr).not.toContain(token.slice(0, 20));
  });

  test('serve refuses a faulty configuration before it touches anything', async () => {
    const cwd = createFolder();
    const result = await runInShared(['serve'], {
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

  test('migrate makes a store, and has nothing to do the second time', async () => {
    const cwd = createFolder();
    expect((await runCommand(['migrate'], { cwd })).stdout).toMatch(
      /^Made a new store with schema version \d+\.\n$/,
    );
    expect((await runInShared(['migrate'], { cwd })).stdout).toBe('The store is up to date.\n');
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
