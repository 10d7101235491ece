import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runInShared } from '../support/command-runner.ts';
import { createFolder } from '../support/folder.ts';
import { runCommand } from '../support/process.ts';

function keyArguments(changes: Record<string, string>): string[] {
  const options = { guild: '8142', name: 'bot', scopes: 'guild:read', expires: '90d', ...changes };
  return ['key', 'create', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])];
}

describe('help and wrong usage', () => {
  test.each([
    ['--help'],
    ['serve', '--help'],
    ['demo', '--help'],
    ['guild', '--help'],
    ['guild', 'set', '--help'],
    ['guild', 'list', '--help'],
    ['guild', 'show', '--help'],
    ['key', '--help'],
    ['key', 'create', '--help'],
    ['key', 'list', '--help'],
    ['key', 'delete', '--help'],
    ['key', 'rotate', '--help'],
    ['key', 'set', '--help'],
    ['key', 'usage', '--help'],
    ['import', '--help'],
    ['export', '--help'],
    ['backup', '--help'],
    ['restore', '--help'],
    ['verify', '--help'],
    ['migrate', '--help'],
    ['openapi', '--help'],
    ['config', '--help'],
  ])('%s %s %s explains itself and ends with 0', async (...args) => {
    const result = await runInShared(args, { cwd: createFolder() });
    expect(result.status).toBe(0);
    expect(result.stdout).toContain('Usage: npx guildbook');
    expect(result.stderr).toBe('');
  });

  test.each([
    [['nonsense'], 'unknown command'],
    [['gild', 'list'], 'Did you mean guild?'],
    [['guild', 'set'], "missing required argument 'guildId'"],
    [['guild', 'set', '1', '--plan', 'gold'], 'none, developer, enterprise'],
    [['guild', 'set', '1', '--name', ' '], 'without control characters'],
    [['guild', 'set', '1', '--name', 'x', '--until', '2027-02-31'], 'Give a date such as'],
    [['guild', 'list', '--wrong'], "unknown option '--wrong'"],
    [['key', 'create'], "required option '--guild <guildId>' not specified"],
    [keyArguments({ scopes: 'guild:admin' }), 'guild:read, guild:write, users:read'],
    [keyArguments({ expires: 'soon' }), '90d'],
    [keyArguments({ name: 'x'.repeat(101) }), '1 to 100 characters'],
    [['key', 'delete'], "missing required argument 'keyId'"],
    [['import'], "missing required argument 'kind'"],
    [['import', 'discharges'], "missing required argument 'file'"],
    [['import', 'keys', 'x.csv'], 'discharges, transfers, verifications, commands, transactions'],
    [['import', 'discharges', 'x.csv', '--format', 'xml'], 'json, ndjson, csv'],
    [['import', 'discharges', 'x.csv', '--guild', ''], 'Give 1 to 128 characters'],
    [['import', 'discharges', 'a.csv', 'b.csv'], 'too many arguments'],
    [['export'], "missing required argument 'kind'"],
    [['export', 'keys'], 'discharges, transfers, verifications, commands, transactions, requests'],
    [['export', 'discharges', '--format', 'yaml'], 'json, ndjson, csv'],
    [['export', 'discharges', '--out'], 'argument missing'],
    [['serve', '--workers', '0'], 'Give a number from 1 to 64, or auto'],
    [['serve', '--workers', '65'], 'Give a number from 1 to 64, or auto'],
    [['serve', '--workers', '1.5'], 'Give a number from 1 to 64, or auto'],
    [['serve', '--workers', 'many'], 'Give a number from 1 to 64, or auto'],
    [['serve', '--workers', '2'], '--workers needs PostgreSQL: the embedded store has one writer'],
    [['backup'], "missing required argument 'file'"],
    [['restore'], "missing required argument 'file'"],
    [['verify', 'x.db'], 'too many arguments'],
  ])('%j ends with 2 and a hint, and makes no store', async (args, hint) => {
    const cwd = createFolder();
    const result = await runInShared(args, { cwd });
    expect(result.status).toBe(2);
    expect(result.stderr).toContain(hint);
    expect(existsSync(path.join(cwd, 'data'))).toBe(false);
  });

  test('without a command the help is shown and the status is 2', async () => {
    const result = await runInShared([], { cwd: createFolder() });
    expect(result.status).toBe(2);
    expect(result.stderr).toContain('Usage: npx guildbook');
  });

  test.each([
    [['--help'], 0],
    [['nonsense'], 2],
    [['verify'], 1],
  ])('%j as a process ends with %d', async (args, status) => {
    expect((await runCommand(args, { cwd: createFolder() })).status).toBe(status);
  });
});
