import { chmodSync, chownSync, copyFileSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import { verifySqliteFile } from '../../src/store/sqlite/backup.ts';
import { aQuery, aTransaction } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { writeOlderStore } from '../support/older-store.ts';
import {
  backUp,
  filesOf,
  keep,
  makeNewer,
  makeWrong,
  NOT_STORES,
  openForTest,
  restore,
  serve,
  totalOf,
} from './backup-place.ts';
import { damageTable, fillStore, openStoreOn, withRaw } from './full-store.ts';

describe('a restore', () => {
  it('gives the whole store back, ready to be used', async () => {
    const { source, target, guild } = await serve();
    await backUp({ source, target });
    const restored = path.join(createFolder(), 'guildbook.db');
    expect(restore({ source: target, target: restored })).toEqual([]);
    expect(verifySqliteFile(restored, () => {})).toEqual([]);
    const store = await openForTest(restored);
    const repeat = await store.ledger.append(
      aTransaction(guild, { playerId: 'p', idempotency: { key: 'k1', requestHash: 'h' } }),
    );
    expect(repeat.replayed).toBe(true);
    expect((await store.ledger.list(guild, 'p', aQuery())).total).toBe(5);
  });

  it('leaves nothing beside the backup, which may lie where nothing can be written', async () => {
    const { folder, source, target } = await keep();
    await backUp({ source, target });
    const before = filesOf(folder);
    chmodSync(target, 0o400);
    // Meanwhile SQLite would have its own files beside it.
    const seen: string[][] = [];
    const onProgress = () => seen.push(filesOf(folder));
    expect(restore({ source: target, target: path.join(createFolder(), 'r.db'), onProgress })).toEqual([]);
    expect(seen.length).toBeGreaterThan(0);
    expect([...seen, filesOf(folder)]).toEqual(Array(seen.length + 1).fill(before));
  });

  it('makes the folder that the store belongs into', async () => {
    const { source } = await keep();
    const target = path.join(createFolder(), 'new', 'machine', 'guildbook.db');
    expect(restore({ source, target })).toEqual([]);
    expect(verifySqliteFile(target, () => {})).toEqual([]);
  });

  it('does not overwrite a store, unless told to, and then nothing of the old one remains', async () => {
    const { source, target } = await keep();
    const old = await openStoreOn(target);
    const guild = await fillStore(old);
    await old.ledger.append(aTransaction(guild, { playerId: 'p' }));
    await old.close();
    expect(() => restore({ source, target })).toThrow(
      new OperatorError(`${target} exists already: give --force to overwrite it`),
    );
    expect(await totalOf(target, guild)).toBe(6);
    expect(restore({ source, target, mayOverwrite: true })).toEqual([]);
    expect(await totalOf(target, guild)).toBe(5);
  });

  it('belongs to whom the store belonged before, or its folder, and nobody else can read it', async () => {
    const { source, target } = await keep();
    // Only root can give files away; anybody else keeps their own.
    const { uid, gid } = userInfo();
    const owner = uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid, gid };
    copyFileSync(source, target);
    chownSync(target, owner.uid, owner.gid);
    chmodSync(source, 0o644);
    restore({ source, target, mayOverwrite: true });
    expect(statSync(target)).toMatchObject(owner);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    const folder = createFolder();
    chownSync(folder, owner.uid, owner.gid);
    restore({ source, target: path.join(folder, 'new.db') });
    expect(statSync(path.join(folder, 'new.db'))).toMatchObject(owner);
  });

  it('takes the place of a damaged store, which is what it is for', async () => {
    const { source, target } = await keep();
    copyFileSync(source, target);
    damageTable(target, 'account');
    expect(restore({ source, target, mayOverwrite: true })).toEqual([]);
    expect(verifySqliteFile(target, () => {})).toEqual([]);
  });

  it('is refused while the store is in use, which goes on undisturbed', async () => {
    const { folder, source: target, store, guild } = await serve();
    const { source } = await keep();
    expect(() => restore({ source, target, mayOverwrite: true })).toThrow(
      new OperatorError(`${target} is in use: stop the service first`),
    );
    expect(filesOf(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
    await store.ledger.append(aTransaction(guild, { playerId: 'p' }));
    await store.close();
    expect(await totalOf(target, guild)).toBe(6);
  });

  it('is refused from a store that is in use: its file alone is not all of it', async () => {
    const { folder, source, target } = await serve();
    expect(() => restore({ source, target })).toThrow(
      new OperatorError(`${source} is in use: stop the service first`),
    );
    expect(filesOf(folder).filter((name) => !name.startsWith('guildbook.db'))).toEqual([]);
  });

  it.each(NOT_STORES)('of %s is refused by its name, and nothing is left behind', (_, make) => {
    const folder = createFolder();
    const source = path.join(folder, 'source.db');
    make(source);
    expect(() => restore({ source, target: path.join(folder, 'target.db') })).toThrow(
      new OperatorError(`${source} is not a Guildbook store`),
    );
    expect(filesOf(folder)).toEqual(['source.db']);
  });

  it.each([
    ['a newer program’s store', makeNewer, /use a newer Guildbook/],
    ['no file at all', (file: string) => withRaw(file, () => {}), undefined],
  ])('of %s leaves the present store alone', async (_, make, refusal) => {
    const { folder, source, target } = await keep();
    copyFileSync(source, target);
    const before = readFileSync(target);
    make(source);
    const given = refusal === undefined ? path.join(folder, 'absent.db') : source;
    expect(() => restore({ source: given, target, mayOverwrite: true })).toThrow(
      refusal ?? `there is no file ${given}`,
    );
    expect(readFileSync(target).equals(before)).toBe(true);
    expect(filesOf(folder)).toEqual(['guildbook.db', 'target.db']);
  });

  it.each([
    ['wrong', makeWrong, 'its balance is not the sum of its transactions'],
    ['damaged', (file: string) => damageTable(file, 'ledger_transaction'), 'the file is damaged'],
  ])(
    'of a %s backup is not done, says why, and leaves the present store alone',
    async (_, spoil, finding) => {
      const { folder, source, target } = await keep();
      copyFileSync(source, target);
      const before = readFileSync(target);
      spoil(source);
      expect(restore({ source, target, mayOverwrite: true }).join('\n')).toContain(finding);
      expect(readFileSync(target).equals(before)).toBe(true);
      expect(filesOf(folder)).toEqual(['guildbook.db', 'target.db']);
    },
  );

  it('of a backup by an older program works, and the store is brought up to date when it is opened', async () => {
    const folder = createFolder();
    const source = path.join(folder, 'old.db');
    writeOlderStore(
      source,
      `UPDATE guild SET guild_id = 'g', name = 'Old';
      INSERT INTO verification VALUES ('1', 'p', 'N', 'n', 0);
      INSERT INTO past_user VALUES ('1', 0, 'q', 'Past', 'past')`,
    );
    const target = path.join(folder, 'guildbook.db');
    expect(restore({ source, target })).toEqual([]);
    expect(await backUp({ source: target, target: path.join(folder, 'again.db') })).toEqual([]);
    const store = await openForTest(target);
    expect((await store.guilds.find('g'))?.name).toBe('Old');
    expect((await store.verifications.find(['past_name'], 'past'))?.chatId).toBe('1');
  });
});
