import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DomainError } from '../../src/domain/errors.ts';
import { faultKind, toDomainError } from '../../src/store/sqlite/faults.ts';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import { aDischarge, aGuild, anAttempt, CHANGE, domainError } from '../contract/specimens.ts';
import { createFolder } from '../support/folder.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreFile } from '../support/read-store.ts';

const FULL = 'database or disk is full';

/** The error that the real driver throws for this work. */
function errorOf(work: (open: () => DatabaseSync) => void): unknown {
  const file = path.join(createFolder(), 'raw.db');
  const open = () => {
    const db = new DatabaseSync(file, { timeout: 0 });
    onTestFinished(() => db.close());
    return db;
  };
  try {
    work(open);
  } catch (error) {
    return error;
  }
  throw new Error('the work was expected to fail');
}

const lockedError = () =>
  errorOf((open) => {
    open().exec('CREATE TABLE t (x); BEGIN IMMEDIATE');
    open().exec('BEGIN IMMEDIATE');
  });

const fullError = () =>
  errorOf((open) => {
    const db = open();
    db.exec('PRAGMA max_page_count = 3; CREATE TABLE t (x)');
    db.prepare('INSERT INTO t VALUES (zeroblob(100000))').run();
  });

const constraintError = () =>
  errorOf((open) => open().exec('CREATE TABLE t (x NOT NULL); INSERT INTO t VALUES (NULL)'));

describe('the driver’s own errors', () => {
  it.each([
    ['a lock held too long', lockedError],
    ['a full disk', fullError],
  ])('%s passes: callers are told to come back', (_, makeError) => {
    const error = makeError();
    expect(faultKind(error)).toBe('passing');
    expect(toDomainError(error)).toMatchObject({ ...domainError('store_unavailable'), retryAfterSeconds: 1 });
    expect(toDomainError(error).cause).toBe(error);
  });

  it('a broken rule is a defect of ours: nothing is said about it outside', () => {
    const error = constraintError();
    expect(faultKind(error)).toBe('defect');
    expect(toDomainError(error)).toMatchObject({ ...domainError('internal'), detail: undefined });
  });

  it('an error that is not the driver’s is a defect too, and a refusal stays as it is', () => {
    expect(faultKind(new TypeError('x'))).toBe('defect');
    const refusal = new DomainError('overdraft');
    expect(toDomainError(refusal)).toBe(refusal);
  });
});

describe('a file with a damaged page', () => {
  /** A store whose table of discharges was overwritten while it was closed. */
  async function openDamaged() {
    const file = path.join(createFolder(), 'guildbook.db');
    const fatal: Error[] = [];
    const open = () => openSqliteStore({ file, onFatal: (error) => fatal.push(error) });
    const first = await open();
    const guild = await first.guilds.set(aGuild(), CHANGE);
    await first.discharges.put(guild, [aDischarge(guild)], CHANGE);
    await first.close();
    const db = openStoreFile(file);
    const row = db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'discharge'").get();
    const size = db.prepare('PRAGMA page_size').get();
    db.close();
    const handle = openSync(file, 'r+');
    const bytes = Number(size?.page_size);
    writeSync(handle, Buffer.alloc(bytes, 0xff), 0, bytes, (Number(row?.rootpage) - 1) * bytes);
    closeSync(handle);
    const store = await open();
    onTestFinished(() => store.close());
    return { store, guild, fatal };
  }

  it('is unavailable to the reader, without a driver error, and reported as fatal', async () => {
    const { store, guild, fatal } = await openDamaged();
    const reading = async () => store.discharges.find(guild, 'D-1');
    await expect(reading).rejects.toMatchObject(domainError('store_unavailable'));
    expect(fatal).toHaveLength(1);
  });

  it('is unavailable to the writer, and reported as fatal', async () => {
    const { store, guild, fatal } = await openDamaged();
    const writing = store.discharges.put(guild, [aDischarge(guild)], CHANGE);
    await expect(writing).rejects.toMatchObject(domainError('store_unavailable'));
    expect(fatal).toHaveLength(1);
  });
});

describe('a write that cannot be sent to the writer thread', () => {
  // Nothing that follows the types has a function in it, which no other thread can take.
  const unsendable = (guildId: string) => aGuild({ guildId, name: (() => {}) as unknown as string });

  it('is refused, and later writes get their own answers', async () => {
    const { store } = await openTestStore();
    await expect(store.guilds.set(unsendable('x'), CHANGE)).rejects.toMatchObject(domainError('internal'));
    for (const guildId of ['a', 'b']) {
      expect(await store.guilds.set(aGuild({ guildId }), CHANGE)).toMatchObject({ guildId });
    }
  });

  it('does not fail those that are committed together with it', async () => {
    const { store } = await openTestStore();
    const [first, ...together] = ['first', 'a', 'x', 'b'].map((guildId) =>
      store.guilds.set(guildId === 'x' ? unsendable('x') : aGuild({ guildId }), CHANGE),
    );
    const outcomes = await Promise.allSettled(together);
    expect(await first).toMatchObject({ guildId: 'first' });
    expect(outcomes).toMatchObject([
      { value: { guildId: 'a' } },
      { reason: domainError('internal') },
      { value: { guildId: 'b' } },
    ]);
    expect((await store.guilds.list()).map(({ guildId }) => guildId)).toEqual(['a', 'b', 'first']);
  });
});

describe('a write that SQLite refuses because there is no room', () => {
  /** A store that has just refused a write, although its disk has room. */
  async function openRefusing() {
    const reported: (string | undefined)[] = [];
    const { store, file } = await openTestStore({ onUnwritable: (reason) => reported.push(reason) });
    await store.check();
    expect(reported).toEqual([]);
    // The next number of a sign-in does not exist, for which SQLite has the same code as for a full disk.
    const db = openStoreFile(file);
    db.exec("INSERT INTO sqlite_sequence (name, seq) VALUES ('sign_in_attempt', 9223372036854775807)");
    db.close();
    await expect(store.sessions.insertAttempt(anAttempt())).rejects.toMatchObject(
      domainError('store_unavailable'),
    );
    expect(reported).toEqual([FULL]);
    return { store, file, reported };
  }

  it('is reported with its reason, and a check of the store finds out that there is room again', async () => {
    const { store, reported } = await openRefusing();
    await store.check();
    expect(reported).toEqual([FULL, undefined]);
  });

  it('leaves later writes their outcome, also when the room cannot be read', async () => {
    const { store, file, reported } = await openRefusing();
    const folder = path.dirname(file);
    renameSync(folder, `${folder}-elsewhere`);
    onTestFinished(() => renameSync(`${folder}-elsewhere`, folder));
    expect(await store.guilds.set(aGuild(), CHANGE)).toMatchObject({ guildId: aGuild().guildId });
    expect(reported).toEqual([FULL]);
  });
});
