import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFolder } from '../support/folder.ts';
import { runCommand, startServer } from '../support/process.ts';

const SERVER = fileURLToPath(new URL('../../', import.meta.url));
const GUILD = ['guild', 'set', '1', '--name', 'One', '--plan', 'developer'];
const KEY = 'key create --guild 1 --name k --scopes guild:write --expires 9d --json'.split(' ');

let folder: string;
let program: string;

/** Below node_modules, as it is when it was installed: there Node.js reads no TypeScript. */
beforeAll(() => {
  const parent = path.join(SERVER, '..', 'node_modules', '.cache');
  mkdirSync(parent, { recursive: true });
  folder = mkdtempSync(path.join(parent, 'guildbook-package-'));
  execFileSync(process.execPath, [path.join(SERVER, 'build.ts'), folder]);
  program = path.join(folder, 'bin', 'guildbook.js');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the package has no development files, and brings the web pages and the examples of its deployment', () => {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const endings = new Set(files.map(({ name }) => path.extname(name)));
  expect(endings).not.toContain('.ts');
  expect(endings).not.toContain('.map');
  const names = files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  expect(names).toEqual(
    expect.arrayContaining([
      'pages/index.html',
      'pages/docs.html',
      'deploy/guildbook.service',
      'LICENSE',
      'README.md',
    ]),
  );
  expect(names.filter((name) => /test|stamp|tsconfig/.test(name))).toEqual([]);
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(manifest).not.toHaveProperty('private');
  expect(manifest.repository).toMatchObject({ type: 'git', directory: 'server' });
});

test('the package serves posts and pages, and every part reports its version', async () => {
  const { version } = JSON.parse(readFileSync(path.join(SERVER, 'package.json'), 'utf8'));
  const cwd = createFolder();
  expect(await runCommand(['--version'], { cwd, program })).toMatchObject({ stdout: `${version}\n` });
  expect(await runCommand(GUILD, { cwd, program })).toMatchObject({ status: 0 });
  const { key } = JSON.parse((await runCommand(KEY, { cwd, program })).stdout);
  const server = await startServer({ cwd, program });
  const posted = await server.ask('/guild/ledger', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ playerId: '7', name: 'Nail', quantity: 1, amount: 1, source: 'shop' }),
  });
  expect(posted.status).toBe(200);
  expect(await (await server.ask('/dashboard/')).text()).toContain('<script');
  expect(await (await server.ask('/openapi.json')).json()).toMatchObject({ info: { version } });
  expect(await (await server.ask('/dashboard/api/about')).json()).toMatchObject({
    data: { command: 'guildbook' },
  });
  expect(await server.readMetrics()).toContain(`guildbook_build_info{version="${version}"} 1`);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ status: 0, signal: null });
});

test('the package knows the schema of both stores', async () => {
  for (const url of ['sqlite:./data/guildbook.db', 'postgres://127.0.0.1/none']) {
    const env = { DATABASE_URL: url, SECRET_KEY: 'a-secret-key-of-at-least-32-characters' };
    const printed = await runCommand(['migrate', '--print'], { cwd: createFolder(), env, program });
    expect(printed.stdout).toContain('CREATE TABLE');
  }
});

test.each([
  ['guildbook', {}],
  // npx sets this.
  ['npx guildbook', { npm_command: 'exec' }],
])('the package calls its command %s, as it was called itself', async (command, env) => {
  const cwd = createFolder();
  await runCommand(['migrate'], { cwd, env, program });
  const listed = await runCommand(['guild', 'list'], { cwd, env, program });
  expect(listed.stdout).toContain(`Create one with: ${command} guild set <guildId>`);
  const help = await runCommand(['--help'], { cwd, env, program });
  expect(help.stdout).toContain(`Usage: ${command} [options]`);
  expect(help.stdout).toContain(`  ${command} serve`);
});
