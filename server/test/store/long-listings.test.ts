import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type GuildRef, type ListingQuery, SORT_KEYS, SORT_ORDERS } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { readFunctions } from '../../src/store/jobs.ts';
import { toDetailed } from '../../src/store/ledger/detailed-row.ts';
import { LONG_READS } from '../../src/store/long-reads.ts';
import { createSnapshot } from '../../src/store/sqlite/engine.ts';
import { createLedgerReads } from '../../src/store/sqlite/ledger.ts';
import { createAccountViewReads } from '../../src/store/sqlite/ledger-views.ts';
import { createSql } from '../../src/store/sqlite/sql.ts';
import {
  aDischarge,
  aQuery,
  aRecordQuery,
  aTransaction,
  aTransfer,
  CHANGE,
  domainError,
} from '../contract/specimens.ts';
import { openStoreFile } from '../support/read-store.ts';
import { LENGTHS, openFilled } from './long-accounts.ts';

const FILTERED = aQuery({ source: 'shop', limit: 5 });
const DEEP = aQuery({ sortBy: 'total', page: 500, limit: 5 });

/** The very reads that the threads run, on this one. */
function readOnThisThread(file: string) {
  const db = openStoreFile(file);
  onTestFinished(() => db.close());
  return {
    ...createLedgerReads(db),
    ...createAccountViewReads(db),
    ...readFunctions(LONG_READS, createSnapshot(db, createSql(db))),
  };
}

type Reads = ReturnType<typeof readOnThisThread>;

/** Each order and direction under each set of filters, at the beginning, in the middle and past the end. */
const QUERIES: ListingQuery[] = SORT_KEYS.flatMap((sortBy) =>
  SORT_ORDERS.flatMap((sortOrder) =>
    Array.from({ length: 8 * 3 }, (_, number) =>
      aQuery({
        sortBy,
        sortOrder,
        limit: 7,
        page: [1, 60, 450][number >> 3] ?? 1,
        source: number & 1 ? 'shop' : undefined,
        minUnits: number & 2 ? 2 : undefined,
        maxUnits: number & 4 ? 5 : undefined,
      }),
    ),
  ),
);

describe('a listing that visits many rows', () => {
  it.each([
    ['filtered', 'ledger', FILTERED],
    ['deep in an order', 'ledger', DEEP],
    ['filtered, with all details', 'ledgerViews', FILTERED],
    ['deep in an order, with all details', 'ledgerViews', DEEP],
  ] as const)('does not hold up what is asked after it: %s', async (_, part, query) => {
    const { store, guild } = await openFilled();
    const answered: string[] = [];
    await Promise.all([
      Promise.resolve(store[part].list(guild, 'middling', query)).then(() => answered.push('long')),
      Promise.resolve(store[part].list(guild, 'short', query)).then(() => answered.push('short')),
      store.guilds.find(guild.guildId).then(() => answered.push('look-up')),
    ]);
    expect(answered.toSorted()).toEqual(['long', 'look-up', 'short']);
    expect(answered.at(-1)).toBe('long');
  });

  it('is answered byte for byte as on the calling thread', async () => {
    const { store, guild, file } = await openFilled(['middling']);
    const here = readOnThisThread(file);
    const account = { guildNo: guild.guildNo, accountNo: 1, count: LENGTHS.middling };
    for (const query of QUERIES) {
      const listed = await store.ledger.list(guild, 'middling', query);
      expect(JSON.stringify(listed)).toBe(JSON.stringify(here.listTransactions({ account, query })));
      const detailed = await store.ledgerViews.list(guild, 'middling', query);
      const { transactions, total } = here.listDetailedTransactions({ account, query });
      const expected = { transactions: transactions.map(toDetailed), total };
      expect(JSON.stringify(detailed)).toBe(JSON.stringify(expected));
    }
  });

  it('shows the account as it was when it was asked for, whatever is posted meanwhile', async () => {
    const { store, guild } = await openFilled();
    const last = aQuery({ source: 'shop', page: 10 });
    const listing = store.ledger.list(guild, 'middling', last);
    await store.ledger.append(aTransaction(guild, { playerId: 'middling' }));
    const listed = await listing;
    expect(listed.total).toBe(1_000);
    expect(listed.transactions.at(-1)?.transactionId).toBe('id-3000');
    expect(await store.ledger.list(guild, 'middling', last)).toMatchObject({ total: 1_001 });
  });

  it('is not run again for an account that did not grow', async () => {
    const { store, guild, threads } = await openFilled();
    const first = await store.ledger.list(guild, 'middling', FILTERED);
    await Promise.all(threads.map((thread) => thread.terminate()));
    expect(await store.ledger.list(guild, 'middling', FILTERED)).toEqual(first);
    expect(threads).toHaveLength(1);
  });

  it('that visits very many has a thread of its own, which the others do not wait for', async () => {
    const { store, guild, threads } = await openFilled(['middling', 'long']);
    await store.ledger.list(guild, 'middling', FILTERED);
    await store.ledgerViews.list(guild, 'middling', DEEP);
    expect(threads).toHaveLength(1);
    expect(await store.ledger.list(guild, 'long', FILTERED)).toMatchObject({ total: 20_000 });
    expect(threads).toHaveLength(2);
    await store.ledger.list(guild, 'long', DEEP);
    expect(threads).toHaveLength(2);
  });

  it('is refused while a thousand others wait', async () => {
    const { store, guild } = await openFilled();
    const listings = Array.from({ length: 1_002 }, () => store.ledger.list(guild, 'middling', FILTERED));
    const outcomes = await Promise.allSettled(listings);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1_001);
    expect(outcomes.at(-1)).toMatchObject({
      reason: { ...domainError('overloaded'), retryAfterSeconds: 1 },
    });
    expect(await store.ledger.list(guild, 'middling', FILTERED)).toMatchObject({ total: 1_000 });
  });
});

describe('a list of a guild that has much', () => {
  const RECORDS = Array.from({ length: 2_001 }, (_, index) => ({
    id: `R-${index}`,
    name: `Rowan ${index % 90}`,
  }));
  const SEARCH = aRecordQuery({ search: 'rowan 7', sortBy: 'name', limit: 5 });
  const DEPOSITS = { limit: 5, source: undefined, minUnits: 7, maxUnits: undefined };

  async function openWithRecords() {
    const opened = await openFilled();
    const { store, guild } = opened;
    await store.discharges.put(
      guild,
      RECORDS.map((record) => aDischarge(guild, record)),
      CHANGE,
    );
    await store.transfers.put(
      guild,
      RECORDS.map((record) => aTransfer(guild, record)),
      CHANGE,
    );
    return opened;
  }

  type List = (store: Store, guild: GuildRef) => Promise<unknown>;
  type Expected = (here: Reads, guild: GuildRef) => unknown;
  const LISTS: [string, List, Expected][] = [
    [
      'discharges',
      ({ discharges }, guild) => discharges.list(guild, SEARCH),
      (here, guild) => here.listDischarges({ guild, filter: SEARCH }),
    ],
    [
      'transfers',
      ({ transfers }, guild) => transfers.list(guild, SEARCH),
      (here, guild) => here.listTransfers({ guild, filter: SEARCH }),
    ],
    [
      'transactions',
      ({ ledgerViews }, guild) => ledgerViews.listGuild(guild, DEPOSITS),
      (here, { guildNo }) => here.listGuild({ guildNo, query: DEPOSITS }),
    ],
  ];

  it.each(LISTS)(
    'holds nothing up, and is answered as on the calling thread: %s',
    async (_, list, expected) => {
      const { store, guild, file } = await openWithRecords();
      const answered: string[] = [];
      const [listed] = await Promise.all([
        list(store, guild).finally(() => answered.push('list')),
        store.guilds.find(guild.guildId).then(() => answered.push('look-up')),
      ]);
      expect(answered).toEqual(['look-up', 'list']);
      const text = JSON.stringify(listed);
      expect(text).toBe(JSON.stringify(await expected(readOnThisThread(file), guild)));
      expect(text).toContain('"name":"');
    },
  );
});

describe('the threads for long listings', () => {
  it('are not started by short ones, nor by pages of the default order however deep', async () => {
    const { store, guild, threads } = await openFilled(['short', 'long']);
    await store.ledger.list(guild, 'short', FILTERED);
    await store.ledger.list(guild, 'long', aQuery({ sortBy: 'total', page: 20 }));
    await store.ledger.list(guild, 'long', aQuery({ page: 599, sortOrder: 'desc' }));
    await store.ledgerViews.list(guild, 'long', aQuery({ page: 599 }));
    await store.ledgerViews.listGuild(guild, aQuery());
    await store.discharges.list(guild, aRecordQuery({ search: 'rowan' }));
    expect(threads).toEqual([]);
  });

  it('answer what they were asked before the store is closed, and nothing after', async () => {
    const { store, guild } = await openFilled();
    const asked = [FILTERED, DEEP].map((query) => store.ledger.list(guild, 'middling', query));
    const closing = store.close();
    const late = async () => store.ledger.list(guild, 'middling', FILTERED);
    await expect(late).rejects.toMatchObject({ ...domainError('store_unavailable'), retryAfterSeconds: 1 });
    expect((await Promise.all(asked)).map(({ total }) => total)).toEqual([1_000, 3_000]);
    await closing;
    await expect(late).rejects.toMatchObject(domainError('store_unavailable'));
  });

  it('are replaced when they die: what waited is told to come back, and the next listing is answered', async () => {
    const { store, guild, threads, fatal } = await openFilled();
    await store.ledgerViews.list(guild, 'middling', FILTERED);
    const dying = threads.map((thread) => thread.terminate());
    const waiting = store.ledgerViews.list(guild, 'middling', FILTERED);
    await expect(waiting).rejects.toMatchObject({
      ...domainError('store_unavailable'),
      retryAfterSeconds: 1,
    });
    await Promise.all(dying);
    await expect(store.ledgerViews.list(guild, 'middling', FILTERED)).resolves.toMatchObject({
      total: 1_000,
    });
    expect(threads).toHaveLength(2);
    expect(fatal).toEqual([]);
  });

  it('leave the write-ahead log room to begin anew once it is long, and answer while others read from it', async () => {
    const { store, guild, file } = await openFilled();
    const reader = openStoreFile(file);
    const reading = reader.prepare('SELECT seq FROM ledger_transaction').iterate();
    reading.next();
    lengthenLog(file);
    const logBytes = () => statSync(`${file}-wal`).size;
    await expect(store.ledgerViews.list(guild, 'middling', FILTERED)).resolves.toMatchObject({
      total: 1_000,
    });
    expect(logBytes()).toBeGreaterThan(64 * 1024 * 1024);
    reader.close();
    await expect(store.ledgerViews.list(guild, 'middling', FILTERED)).resolves.toMatchObject({
      total: 1_000,
    });
    expect(logBytes()).toBe(0);
    await store.ledger.append(aTransaction(guild, { playerId: 'middling' }));
    await expect(store.ledgerViews.list(guild, 'middling', FILTERED)).resolves.toMatchObject({
      total: 1_001,
    });
  });

  it('report a damaged file as fatal', async () => {
    const { store, guild, file, fatal } = await openFilled();
    damage(file, 'ledger_by_total');
    const listing = store.ledger.list(guild, 'middling', DEEP);
    await expect(listing).rejects.toMatchObject(domainError('store_unavailable'));
    expect(fatal).toHaveLength(1);
  });
});

/** Writes more into the log than it should ever hold. */
function lengthenLog(file: string): void {
  const db = openStoreFile(file);
  db.exec('CREATE TABLE ballast (x); INSERT INTO ballast VALUES (zeroblob(70000000)); DROP TABLE ballast');
  db.close();
}

/** Overwrites the first page of a table or an index. */
function damage(file: string, name: string): void {
  const db = openStoreFile(file);
  const row = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(name);
  const size = db.prepare('PRAGMA page_size').get();
  db.close();
  const bytes = Number(size?.page_size);
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(bytes, 0xff), 0, bytes, (Number(row?.rootpage) - 1) * bytes);
  closeSync(handle);
}
