import { expect, it, onTestFinished } from 'vitest';
import type { Guild, PastTransaction } from '../../src/domain/model.ts';
import { importRecords } from '../../src/import-export/import.ts';
import type { SourceItem } from '../../src/import-export/lines.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import { aGuild, aPastTransaction, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { oneByOne, singly } from '../import-export/byte-source.ts';
import { LONG_TEST } from '../support/patience.ts';
import { createDatabase } from './database.ts';
import { REAL_TIME } from './store.ts';

const ROWS = 20_000;
const PLAYERS = 50;
const COMMITS_MAX = 10;

async function openStores() {
  const database = await createDatabase();
  const open = () => openPostgresStore({ url: database.url, clock: REAL_TIME });
  const [store, service] = await Promise.all([open(), open()]);
  onTestFinished(async () => {
    await Promise.all([store.close(), service.close()]);
    await database.remove();
  });
  const found = (guildId: string) => store.guilds.set(aGuild({ guildId }), CHANGE);
  return { database, store, service, found };
}

function toItem(past: PastTransaction, line: number): SourceItem {
  const { amountUnits, totalUnits: _, createdAtMs, ...rest } = past;
  const value = { ...rest, amount: amountUnits / 10_000, createdAt: new Date(createdAtMs).toISOString() };
  return { line, text: '', value };
}

/** Rows of all guilds in turn. The players' accounts grow in the order of time. */
async function* itemsOf(guilds: readonly Guild[]): AsyncGenerator<SourceItem> {
  for (let index = 0; index < ROWS; index += 1) {
    const guild = guilds[index % guilds.length];
    if (guild !== undefined) {
      const playerId = `p${index % PLAYERS}`;
      const createdAtMs = NOON_MS - ROWS + index;
      yield toItem(aPastTransaction(guild, { playerId, createdAtMs, amountUnits: 1 + index }), index + 1);
    }
  }
}

it('an import writes thousands of transactions of a guild in one commit', LONG_TEST, async () => {
  const { database, store, found } = await openStores();
  const guild = await found('one');
  let created = 0;
  for await (const { outcome } of oneByOne(
    importRecords({
      store,
      kind: 'transactions',
      items: singly(itemsOf([guild])),
      change: CHANGE,
    }),
  )) {
    created += outcome === 'created' ? 1 : 0;
  }
  expect(created).toBe(ROWS);
  const [row] = await database.query<{ commits: number }>(
    'SELECT count(DISTINCT xmin::text)::int AS commits FROM ledger_transaction',
  );
  // The first batch is written at once. The others are read during that and are written together.
  expect(row?.commits).toBeLessThanOrEqual(COMMITS_MAX);
});

it(
  'services post to the same accounts while they are imported, and everything stays right',
  LONG_TEST,
  async () => {
    const { database, store, service, found } = await openStores();
    const guilds = await Promise.all(['one', 'two', 'three'].map(found));
    const items = singly(itemsOf(guilds));
    const results = oneByOne(importRecords({ store, kind: 'transactions', items, change: CHANGE }));
    let isOver = false;
    let posts = 0;

    async function post(worker: number): Promise<void> {
      for (let index = worker; !isOver; index += 1) {
        const guild = guilds[index % guilds.length];
        if (guild !== undefined) {
          // Raised to the time of the account's last transaction, so that the rows after it are not too old.
          const times = { createdAtMs: NOON_MS - 2 * ROWS };
          await service.ledger.append(aTransaction(guild, { playerId: `p${index % PLAYERS}`, ...times }));
          posts += 1;
        }
      }
    }

    const workers = Array.from({ length: 4 }, (_, worker) => post(worker * 7));
    const outcomes = new Map<string, number>();
    try {
      for await (const { outcome } of results) {
        const name = typeof outcome === 'object' ? outcome.rejected : outcome;
        outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
      }
    } finally {
      isOver = true;
      await Promise.all(workers);
    }
    expect(Object.fromEntries(outcomes)).toEqual({ created: ROWS });
    expect(posts).toBeGreaterThan(0);
    const [row] = await database.query<{ rows: number; numbers: number }>(
      `SELECT sum(rows)::int AS rows, sum(last_number)::int AS numbers
     FROM (SELECT guild_no, count(*) AS rows FROM ledger_transaction GROUP BY 1) AS t JOIN guild_ledger USING (guild_no)`,
    );
    expect(row).toEqual({ rows: ROWS + posts, numbers: ROWS + posts });
    expect(await verifyPostgres(parseDatabaseUrl(database.url), () => {})).toEqual([]);
  },
);
