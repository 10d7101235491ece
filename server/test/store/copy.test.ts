import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { copyBetween } from '../../src/compose/copy.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { type CopySource, type CopyTarget, copyStore } from '../../src/store/operations/copy.ts';
import { COPY_TABLES } from '../../src/store/operations/copy-tables.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { openPostgresSource, openPostgresTarget } from '../../src/store/postgres/copy.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { openSqliteSource, openSqliteTarget } from '../../src/store/sqlite/copy.ts';
import { aGuild, aKey, aQuery, aTransaction, CHANGE } from '../contract/specimens.ts';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { openStoreAt, REAL_TIME } from '../postgres/store.ts';
import { isDeep } from '../support/depth.ts';
import { createFolder } from '../support/folder.ts';
import { LONG_TEST } from '../support/patience.ts';
import { readStore } from '../support/read-store.ts';
import { KEY, makeSource, TRANSACTIONS } from './copy-source.ts';
import { fillStore, openStoreOn } from './full-store.ts';

const QUIET = { onRows() {}, onVerify() {} };

let sourceFile: string;
beforeAll(async () => {
  sourceFile = await makeSource();
});

async function createTarget(): Promise<TestDatabase> {
  const database = await createDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  return database;
}

const newFile = () => path.join(createFolder(), 'copy.db');

/** All rows of all tables that are copied, in order. */
function rowsOf(file: string): Record<string, unknown[]> {
  const tables = readStore(file, (db) =>
    COPY_TABLES.map(({ name, key }) => [
      name,
      db.prepare(`SELECT * FROM ${name} ORDER BY ${key.join(', ')}`).all(),
    ]),
  );
  return Object.fromEntries(tables);
}

describe('a copy to PostgreSQL and back', LONG_TEST, () => {
  it('has every row of the first store, to the last bit', async () => {
    const database = await createTarget();
    const back = newFile();
    const there = await copyBetween(`sqlite:${sourceFile}`, database.url, QUIET);
    expect(await copyBetween(database.url, `sqlite:${back}`, QUIET)).toBe(there);
    expect(rowsOf(back)).toEqual(rowsOf(sourceFile));
    expect([rowsOf(back).key_hour?.length, rowsOf(back).key_request?.length]).toEqual([1, 1]);
    expect(rowsOf(back).guild_board?.length).toBe(1);
    expect([rowsOf(back).guild_chat?.length, rowsOf(back).chat_payment?.length]).toEqual([1, 1]);
  });

  it('tells how far it is, up to the last row and the last transaction', async () => {
    const states: { rows?: object; verified?: { done: number; total: number } } = {};
    const total = await copyBetween(`sqlite:${sourceFile}`, (await createTarget()).url, {
      onRows(state) {
        states.rows = state;
      },
      onVerify(state) {
        states.verified = state;
      },
    });
    expect(states.rows).toEqual({ done: total, total });
    expect(states.verified?.done).toBe(states.verified?.total);
    expect(states.verified?.total).toBe(rowsOf(sourceFile).ledger_transaction?.length);
  });

  it('goes on as a store: keys open, replays replay, and numbers go on where they were', async () => {
    const database = await createTarget();
    await copyBetween(`sqlite:${sourceFile}`, database.url, QUIET);
    const store = await openStoreAt(database.url);
    const guild = await store.guilds.find('100200300');
    const big = await store.guilds.find('big');
    if (guild === undefined || big === undefined) throw new Error('guilds were copied');
    expect((await store.keys.findByHash(KEY.hash))?.guild.guildId).toBe('big');
    const repeated = aTransaction(guild, { playerId: 'p', idempotency: { key: 'k3', requestHash: 'h' } });
    expect(await store.ledger.append(repeated)).toMatchObject({ replayed: true, balanceUnits: 10 });
    expect(await store.ledger.append(aTransaction(guild, { playerId: 'p' }))).toMatchObject({
      balanceUnits: 10_015,
    });
    expect(await store.ledger.append(aTransaction(guild, { playerId: 'new' }))).toMatchObject({
      replayed: false,
    });
    await store.keys.insert(aKey(guild), CHANGE);
    await store.guilds.set(aGuild({ guildId: 'next' }), CHANGE);
    const [newest, before] = await store.audit.list(guild, { limit: 2 });
    expect(newest?.entryNo).toBe((before?.entryNo ?? 0) + 1);
    expect((await store.ledgerViews.totals(big)).balanceUnits).toBe(3n);
    expect((await store.ledger.list(guild, 'many 7', aQuery())).total).toBe(TRANSACTIONS / 50);
  });
});

describe('a copy that was cut off', LONG_TEST, () => {
  /** Writes `batches` batches and then fails, as a lost connection would. */
  function failingAfter(target: CopyTarget, batches: number): CopyTarget {
    let left = batches;
    return {
      ...target,
      async write(table, rows) {
        left -= 1;
        if (left < 0) throw new Error('cut off');
        await target.write(table, rows);
      },
    };
  }

  async function run(source: CopySource, target: CopyTarget): Promise<void> {
    try {
      await copyStore(source, target, QUIET);
    } finally {
      await source.close();
      await target.close();
    }
  }

  it.each(isDeep ? [0, 1, 5, 6, 11] : [0, 6, 11])(
    'after %i batches is finished by repeating it, either way',
    async (batches) => {
      const database = await createTarget();
      const back = newFile();
      const target = parseDatabaseUrl(database.url);
      const there = async (left: number) =>
        run(openSqliteSource(sourceFile), failingAfter(await openPostgresTarget(target), left));
      await expect(there(batches)).rejects.toThrow('cut off');
      await there(1_000);
      const again = async (left: number) =>
        run(await openPostgresSource(target), failingAfter(openSqliteTarget(back), left));
      await expect(again(batches)).rejects.toThrow('cut off');
      await again(1_000);
      expect(rowsOf(back)).toEqual(rowsOf(sourceFile));
    },
  );

  it('because it was stopped says how far it got, and goes on when repeated', async () => {
    const file = newFile();
    const stop = new AbortController();
    const [source, target] = [openSqliteSource(sourceFile), openSqliteTarget(file)];
    const stopped = copyStore(source, target, { ...QUIET, onRows: () => stop.abort(), stop: stop.signal });
    await expect(stopped).rejects.toThrow(
      /^stopped: \d+ of \d+ rows are copied, and the target cannot be served as it is\n {2}Run the same command again/,
    );
    await source.close();
    await target.close();
    await run(openSqliteSource(sourceFile), openSqliteTarget(file));
    expect(rowsOf(file)).toEqual(rowsOf(sourceFile));
  });

  it('cannot be served, and says how to finish it', async () => {
    const database = await createTarget();
    const file = newFile();
    const target = await openPostgresTarget(parseDatabaseUrl(database.url));
    await expect(run(openSqliteSource(sourceFile), failingAfter(target, 3))).rejects.toThrow('cut off');
    await expect(
      run(openSqliteSource(sourceFile), failingAfter(openSqliteTarget(file), 3)),
    ).rejects.toThrow();
    const reason = new OperatorError(
      'the store is an unfinished copy: run the same "npx guildbook copy" again to finish it',
    );
    await expect(openPostgresStore({ url: database.url, clock: REAL_TIME })).rejects.toThrow(reason);
    await expect(openStoreOn(file)).rejects.toThrow(reason);
  });

  it('is not gone on with from another source, nor from one that was changed', async () => {
    const file = newFile();
    const other = newFile();
    await (await openStoreOn(other)).close();
    await expect(
      run(openSqliteSource(other), failingAfter(openSqliteTarget(file), 0)),
    ).resolves.toBeUndefined();
    const source = newFile();
    const store = await openStoreOn(source);
    const guild = await fillStore(store);
    await store.close();
    const target = newFile();
    await expect(run(openSqliteSource(source), failingAfter(openSqliteTarget(target), 5))).rejects.toThrow(
      'cut off',
    );
    await expect(run(openSqliteSource(sourceFile), openSqliteTarget(target))).rejects.toThrow(
      `the target is an unfinished copy of sqlite:${source}: go on with that one, or empty it`,
    );
    const changed = await openStoreOn(source);
    await changed.ledger.append(aTransaction(guild, { playerId: 'p' }));
    await changed.close();
    await expect(run(openSqliteSource(source), openSqliteTarget(target))).rejects.toThrow(
      /the copy is not like the source:.*the source was changed since the copy was begun/s,
    );
  });
});

describe('nothing is overwritten and nothing lost', LONG_TEST, () => {
  let full: TestDatabase;
  beforeAll(async () => {
    full = await createDatabase();
    const store = await openPostgresStore({ url: full.url, clock: REAL_TIME });
    await fillStore(store);
    await store.close();
  });
  afterAll(() => full.remove());

  it('a target with data of its own is refused', async () => {
    const refusal = new OperatorError('the target has data of its own: copy into an empty store');
    await expect(copyBetween(`sqlite:${sourceFile}`, full.url, QUIET)).rejects.toThrow(refusal);
    const file = newFile();
    const store = await openStoreOn(file);
    await store.guilds.set(aGuild(), CHANGE);
    await store.close();
    await expect(copyBetween(full.url, `sqlite:${file}`, QUIET)).rejects.toThrow(refusal);
  });

  it('while a store is copied, writes to it are refused and reads go on', async () => {
    const store = await openStoreAt(full.url);
    const source = await openPostgresSource(parseDatabaseUrl(full.url));
    onTestFinished(source.close);
    const guild = await store.guilds.find('100200300');
    if (guild === undefined) throw new Error('there is a guild');
    const post = store.ledger.append(aTransaction(guild));
    const refused = expect(post).rejects.toMatchObject({ code: 'store_unavailable' });
    expect((await store.ledger.list(guild, 'p', aQuery())).total).toBe(5);
    await refused;
    await source.close();
    await store.ledger.append(aTransaction(guild));
  });

  it('what is not a store, or not one of this version, is not copied', async () => {
    await expect(copyBetween('sqlite:/absent.db', full.url, QUIET)).rejects.toThrow(
      'there is no file /absent.db',
    );
    await expect(copyBetween((await createTarget()).url, `sqlite:${newFile()}`, QUIET)).rejects.toThrow(
      'the database is not a Guildbook store',
    );
  });
});
