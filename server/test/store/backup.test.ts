import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import { backUpSqliteFile, verifySqliteFile } from '../../src/store/sqlite/backup.ts';
import { aTransaction } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { KNOWN_STEPS, OLDER_VERSION } from '../support/older-store.ts';
import {
  backUp,
  filesOf,
  keep,
  makeNewer,
  makeWrong,
  NOT_STORES,
  quiet,
  schemaOf,
  serve,
  totalOf,
} from './backup-place.ts';
import { damageTable } from './full-store.ts';

describe('a backup', () => {
  it('taken while writes go on holds everything acknowledged before it began, and has no faults', async () => {
    const { folder, source, store, guild, target } = await serve();
    for (let wave = 0; wave < 5; wave += 1) {
      await Promise.all(
        Array.from({ length: 200 }, () => store.ledger.append(aTransaction(guild, { playerId: 'busy' }))),
      );
    }
    let isDone = false;
    let acknowledgedMeanwhile = 0;
    const posting = (async () => {
      while (!isDone) {
        await Promise.all(
          Array.from({ length: 20 }, () => store.ledger.append(aTransaction(guild, { playerId: 'busy' }))),
        );
        acknowledgedMeanwhile += 20;
      }
    })();
    expect(await backUp({ source, target })).toEqual([]);
    isDone = true;
    await posting;
    expect(acknowledgedMeanwhile).toBeGreaterThan(0);
    expect(verifySqliteFile(target, () => {})).toEqual([]);
    const total = await totalOf(target, guild, 'busy');
    expect(total).toBeGreaterThanOrEqual(1_000);
    expect(total).toBeLessThanOrEqual(1_000 + acknowledgedMeanwhile);
    expect(filesOf(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });

  it('is one file, complete without any other', async () => {
    const { source, target, guild } = await serve();
    await backUp({ source, target });
    const elsewhere = path.join(createFolder(), 'moved.db');
    copyFileSync(target, elsewhere);
    expect(await totalOf(elsewhere, guild)).toBe(5);
  });

  it('does not overwrite what is there, unless told to', async () => {
    const { source, target, guild } = await serve();
    writeFileSync(target, 'precious');
    await expect(backUp({ source, target })).rejects.toThrow(
      new OperatorError(`${target} exists already: give --force to overwrite it`),
    );
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(await backUp({ source, target, mayOverwrite: true })).toEqual([]);
    expect(await totalOf(target, guild)).toBe(5);
  });

  it('never takes the place of the store itself, nor of another that is in use', async () => {
    const { source, store, guild } = await serve();
    const refusal = /is in use/;
    await expect(backUp({ source, target: source, mayOverwrite: true })).rejects.toThrow(refusal);
    const other = await serve();
    await expect(backUp({ source, target: other.source, mayOverwrite: true })).rejects.toThrow(refusal);
    await store.ledger.append(aTransaction(guild, { playerId: 'p' }));
    await store.close();
    expect(await totalOf(source, guild)).toBe(6);
  });

  it('that is stopped leaves nothing behind', async () => {
    const { folder, source, target } = await keep();
    await expect(backUp({ source, target, stop: AbortSignal.abort() })).rejects.toThrow('aborted');
    expect(filesOf(folder)).toEqual(['guildbook.db']);
  });

  it('of a store with faults is not made, and says which', async () => {
    const { folder, source, target } = await keep();
    makeWrong(source);
    const findings = await backUp({ source, target });
    expect(findings).toContain('account of player p: its balance is not the sum of its transactions');
    expect(filesOf(folder)).toEqual(['guildbook.db']);
  });

  it('of a damaged file is not made', async () => {
    const { folder, source, target } = await keep();
    damageTable(source, 'discharge');
    expect((await backUp({ source, target }))[0]).toMatch(/^the file is damaged: /);
    expect(filesOf(folder)).toEqual(['guildbook.db']);
  });

  it.each(NOT_STORES)('of %s is refused by its name, and nothing is left behind', async (_, make) => {
    const folder = createFolder();
    const source = path.join(folder, 'source.db');
    make(source);
    const before = readFileSync(source);
    const target = path.join(folder, 'backup.db');
    await expect(backUp({ source, target })).rejects.toThrow(`${source} is`);
    expect(filesOf(folder)).toEqual(['source.db']);
    expect(readFileSync(source).equals(before)).toBe(true);
  });

  it('of a store of another version is made without looking at its contents, and says which version it is', async () => {
    const { source, target } = await keep();
    makeWrong(source);
    makeNewer(source);
    const { findings, schema } = await backUpSqliteFile({ ...quiet, source, target });
    const known = KNOWN_STEPS.sqlite.length;
    expect(findings).toEqual([]);
    expect(schema).toEqual({
      version: known + 1,
      knownVersion: known,
      oldestVersion: OLDER_VERSION.sqlite,
      isCurrent: false,
    });
    expect(schemaOf(target)).toEqual(schemaOf(source));
  });

  it('of a damaged store of another version is not made', async () => {
    const { folder, source, target } = await keep();
    makeNewer(source);
    damageTable(source, 'discharge');
    expect((await backUp({ source, target }))[0]).toMatch(/^the file is damaged: /);
    expect(filesOf(folder)).toEqual(['guildbook.db']);
  });

  it('of a store that is not there is refused, and none is made', async () => {
    const folder = createFolder();
    const source = path.join(folder, 'absent.db');
    await expect(backUp({ source, target: path.join(folder, 'b.db') })).rejects.toThrow(
      `there is no file ${source}`,
    );
    expect(filesOf(folder)).toEqual([]);
  });
});
