import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDeadLinks } from '../../scripts/readme-links.ts';

const CLIENT = fileURLToPath(new URL('../', import.meta.url));

let project: string;
let installed: string;

/** A project of somebody else, with the package in its place. */
beforeAll(() => {
  project = mkdtempSync(path.join(tmpdir(), 'guildbook-client-'));
  installed = path.join(project, 'node_modules', '@guildbook', 'client');
  mkdirSync(installed, { recursive: true });
  execFileSync(process.execPath, [path.join(CLIENT, 'build.ts'), installed]);
});
afterAll(() => rmSync(project, { recursive: true }));

test('the package is plain JavaScript with declarations, and needs nothing else', () => {
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'cjs', 'esm', 'package.json']);
  const files = readdirSync(path.join(installed, 'esm'));
  expect(files).toEqual(expect.arrayContaining(['index.d.ts', 'index.js']));
  const scripts = files.filter((file) => file.endsWith('.js'));
  const text = scripts.map((file) => readFileSync(path.join(installed, 'esm', file), 'utf8')).join('\n');
  const imports = [...text.matchAll(/\bfrom '([^']+)'/g)].map(([, from]) => from);
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((from) => !from?.startsWith('./') || !from.endsWith('.js'))).toEqual([]);
  expect(text).not.toMatch(/\b(?:require|process|Buffer)\b/);
  const facts = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'));
  expect(facts).not.toHaveProperty('dependencies');
});

test('the README has no link to a file that the package lacks', () => {
  expect(findDeadLinks(installed)).toEqual([]);
  const page = path.join(project, 'README.md');
  const text =
    '# A page\n[a](../up.md) [b](./gone.md#x) [c](#nowhere) ![d](<images/d.png>) <img src="e.png">\n[f]: docs/f.md\n' +
    '[in](README.md) [here](#a-page) [out](https://example.org/a.md) [mail](mailto:a@example.org)\n```\n[code](none.md)\n```\n';
  writeFileSync(page, text);
  expect(findDeadLinks(project).sort()).toEqual([
    '#nowhere',
    '../up.md',
    './gone.md#x',
    'docs/f.md',
    'e.png',
    'images/d.png',
  ]);
});

test.each([
  ['ES module', 'module', "import { createClient, GuildbookError } from '@guildbook/client';"],
  ['CommonJS module', 'commonjs', "const { createClient, GuildbookError } = require('@guildbook/client');"],
])('an %s that knows nothing of TypeScript can use it', (_name, type, load) => {
  const script = `${load}
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'gbk_x', retries: 0 });
    client.listCommands().catch((error) => console.log(error instanceof GuildbookError, error.kind));
  `;
  const output = execFileSync(process.execPath, [`--input-type=${type}`, '-e', script], { cwd: project });
  expect(String(output)).toBe('true connection\n');
});

test.each(['consumer.mts', 'consumer.cts'])('a strict TypeScript project can use it: %s', (name) => {
  const file = path.join(project, name);
  const source = `
    import { createClient, type ErrorKind, GuildbookError, type Discharge, verifyWebhook } from '@guildbook/client';
    export const total = verifyWebhook({ body: '', headers: {}, secret: '' }).then(({ event }) =>
      event.type === 'transaction.posted' && !('truncated' in event.data) ? event.data.total : 0);
    const client = createClient({ baseUrl: '', apiKey: '', retries: undefined });
    export const discharge: Promise<Discharge> = client.getDischarge('');
    export const kind = (error: GuildbookError): ErrorKind => error.kind;
    // @ts-expect-error: an amount is a number
    client.postTransaction({ playerId: '', name: '', quantity: 1, amount: '1', source: '' });
  `;
  writeFileSync(file, source);
  const compiler = path.join(CLIENT, '..', 'node_modules', '.bin', 'tsc');
  const flags =
    '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --module nodenext --types'.split(' ');
  execFileSync(compiler, [...flags, '', '--lib', 'es2022,dom', file], { cwd: project });
});
