import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UpgradeEvent, UpgradeOptions } from '../../src/store/operations/migrate.ts';
import { upgradeSqliteFile } from '../../src/store/sqlite/migrate.ts';
import { createFolder } from '../support/folder.ts';
import { KNOWN_STEPS, OLDER_VERSION, writeOlderStore } from '../support/older-store.ts';
import { countRows, openStoreFile } from '../support/read-store.ts';
import { damageTable, withRaw } from './full-store.ts';

const OLD = OLDER_VERSION.sqlite;
const KNOWN = KNOWN_STEPS.sqlite;
const COPY = `guildbook.db.before-${OLD}-to-${KNOWN.length}`;
/** Makes the copy without anything that could stop it. */
const keepCopy: UpgradeOptions['keepCopy'] = (copy) => copy(new AbortController().signal);

/** A store of release 0.2.0, with one guild. */
function createOlderStore() {
  const folder = createFolder();
  const file = path.join(folder, 'guildbook.db');
  writeOlderStore(file, "UPDATE guild SET name = 'Old'");
  return { folder, file, files: () => readdirSync(folder).sort() };
}

describe('an upgrade', () => {
  it('reports its start, the copy, each step and its end, in this order', async () => {
    const { folder, file } = createOlderStore();
    const events: UpgradeEvent[] = [];
    await upgradeSqliteFile(file, { keepCopy, onEvent: (event) => events.push(event) });
    const names = KNOWN.slice(OLD).map(({ version, name }) => `${version} ${name}`);
    const versions = { from: OLD, to: KNOWN.length };
    const durationMs = expect.any(Number);
    expect(events.filter(({ kind }) => kind !== 'copying')).toEqual([
      { kind: 'started', ...versions, steps: names },
      { kind: 'copied', file: path.join(folder, COPY), durationMs },
      ...names.map((step, index) => {
        return { kind: 'applied', step, done: index + 1, total: names.length, durationMs };
      }),
      { kind: 'finished', ...versions, durationMs },
    ]);
  });

  it('lets nobody write from before the copy until its end, so that no commit is missing from the copy', async () => {
    const { folder, file } = createOlderStore();
    const other = openStoreFile(file, { timeout: 0 });
    const attempts: unknown[] = [];
    const rename = () => {
      try {
        other.exec("UPDATE guild SET name = 'New'");
        attempts.push('written');
      } catch (error) {
        attempts.push(error instanceof Error && error.message);
      }
    };
    await upgradeSqliteFile(file, { keepCopy, onEvent: ({ kind }) => kind === 'finished' || rename() });
    expect(new Set(attempts)).toEqual(new Set(['database is locked']));
    rename();
    other.close();
    expect(attempts.at(-1)).toBe('written');
    expect(withRaw(path.join(folder, COPY), (db) => db.prepare('SELECT name FROM guild').all())).toEqual([
      { name: 'Old' },
    ]);
  });

  it('whose copy is stopped changes nothing and leaves nothing of the copy', async () => {
    const { file, files } = createOlderStore();
    const stopped = upgradeSqliteFile(file, { keepCopy: (copy) => copy(AbortSignal.abort()) });
    await expect(stopped).rejects.toThrow('aborted');
    expect(files()).toEqual(['guildbook.db']);
    expect(countRows(file, 'schema_migration')).toBe(OLD);
  });

  it('of a damaged store is refused in words, and leaves it as it is', async () => {
    const { file, files } = createOlderStore();
    damageTable(file, 'guild');
    await expect(upgradeSqliteFile(file, { keepCopy })).rejects.toThrow(
      /was not upgraded: the file is damaged: .*\n {2}Put a backup in its place: npx guildbook restore <backup>$/,
    );
    expect(files()).toEqual(['guildbook.db']);
  });

  it('whose step fails says which one, keeps the copy, and changes nothing', async () => {
    const { file, files } = createOlderStore();
    withRaw(file, (db) => db.exec('CREATE TABLE batch_request (recipe TEXT)'));
    const before = schemaOf(file);
    await expect(upgradeSqliteFile(file, { keepCopy })).rejects.toThrow(
      /^migration 20 \(batch-requests\) failed, nothing of it remains: table batch_request already exists$/,
    );
    expect(schemaOf(file)).toEqual(before);
    expect(files()).toContain(COPY);
  });

  it('of a store that another process keeps locked is refused in words', async () => {
    const { file } = createOlderStore();
    const other = openStoreFile(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(upgradeSqliteFile(file, { keepCopy })).rejects.toThrow(
      /is locked by another process, which may be upgrading it\n {2}Run this again when that is done\.$/,
    );
    other.close();
  });
});

function schemaOf(file: string): unknown[] {
  return withRaw(file, (db) => db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all());
}
