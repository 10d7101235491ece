import {
  chmodSync,
  chownSync,
  copyFileSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import {
  backUpSqliteFile,
  type CopyOptions,
  restoreSqliteFile,
  verifySqliteFile,
} from '../../src/store/sqlite/backup.ts';
import { aQuery, aTransaction } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { KNOWN_STEPS, OLDER_VERSION, writeOlderStore } from '../support/older-store.ts';
import { damageTable, fillStore, makeFullFile, openStoreOn, withRaw } from './full-store.ts';

type Options = Partial<CopyOptions> & Pick<CopyOptions, 'source' | 'target'>;
const quiet = { mayOverwrite: false, onProgress: () => {} };
const backUp = async (options: Options) => (await backUpSqliteFile({ ...quiet, ...options })).findings;
const restore = (options: Options) => restoreSqliteFile({ ...quiet, ...options }).findings;

function openForTest(file: string): Promise<Store> {
  return openStoreOn(file).then((store) => {
    onTestFinished(() => store.close());
    return store;
  });
}

/** A folder with a served store in it, and the name of a copy that is not there yet. */
async function serve() {
  const folder = createFolder();
  const source = path.join(folder, 'guildbook.db');
  const store = await openForTest(source);
  const guild = await fillStore(store);
  return { folder, source, store, guild, target: path.join(folder, 'backup.db') };
}

/** A folder with a closed store in it. */
async function keep() {
  const folder = createFolder();
  return { folder, source: await makeFullFile(folder), target: path.join(folder, 'target.db') };
}

const schemaOf = (file: string) =>
  withRaw(file, (db) => db.prepare('SELECT version, name FROM schema_migration ORDER BY version').all());
const filesOf = (folder: string) => readdirSync(folder).sort();

async function totalOf(file: string, guild: Guild, playerId = 'p'): Promise<number> {
  const store = await openStoreOn(file);
  try {
    return (await store.ledger.list(guild, playerId, aQuery())).total;
  } finally {
    await store.close();
  }
}

/** Files that are not backups of a store: the name of each, and how it is made. */
const NOT_STORES: [string, (file: string) => void][] = [
  ['text', (file) => writeFileSync(file, 'guildId,name\n'.repeat(500))],
  ['an empty file', (file) => writeFileSync(file, '')],
  [
    'a database of another program',
    (file) => withRaw(file, (db) => db.exec('CREATE TABLE recipe (title TEXT)')),
  ],
];

const makeNewer = (file: string) =>
  withRaw(file, (db) =>
    db.exec(`INSERT INTO schema_migration
      SELECT max(version) + 1, 'future', 'c', 0 FROM schema_migration`),
  );
const makeWrong = (file: string) =>
  withRaw(file, (db) => db.exec('UPDATE account SET balance = balance + 1'));

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
