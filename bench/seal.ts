import { statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { openSealKeys, startSealing } from '../server/src/compose/seal.ts';
import { createOperatorKeyring } from '../server/src/compose/secret-key.ts';
import { openStore } from '../server/src/compose/stores.ts';
import { systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import type { Guild } from '../server/src/domain/model.ts';
import type { Store } from '../server/src/domain/ports.ts';
import { createSeals } from '../server/src/domain/seal/seals.ts';
import { parseDatabaseUrl } from '../server/src/store/postgres/connection.ts';
import { migratePostgres } from '../server/src/store/postgres/migrate.ts';
import { openConnection } from '../server/src/store/sqlite/connection.ts';
import { migrateSqliteFile } from '../server/src/store/sqlite/migrate.ts';
import { query, startDatabase } from './jobs/postgres.ts';
import { createFolder } from './support/processes.ts';
import { runAndUndo } from './support/undo.ts';

/**
 * The cost of sealed ledgers, on both stores: posts with and without the sealer in turns, how far the sealer is behind, the time for a
 * ledger from before, processor time of a receipt, and bytes for each transaction. Arguments: the number of old
 * transactions, one of the stores, and the seconds of a round.
 */
const OLD_ROWS = Number(process.argv[2] ?? 1_000_000);
const ENGINES = (['sqlite', 'postgres'] as const).filter((engine) => (process.argv[3] || engine) === engine);
const ROUND_MS = Number(process.argv[4] ?? 5) * 1_000;
const ROUNDS = 5;
const WORKERS = 64;
const PLAYERS = 500;
const RECEIPTS = 2_000;
const SAMPLE_MS = 100;
const ACTOR = { kind: 'operator', id: 'bench' } as const;
const ENVIRONMENT = { clock: systemClock, ids: systemIds, logger: pino({ level: 'warn' }) };

interface Place {
  databaseUrl: string;
  execute(sql: string): Promise<void>;
  /** The bytes on disk of the sealed logs. */
  sealBytes(): Promise<number>;
}

async function placeOf(engine: 'sqlite' | 'postgres'): Promise<Place> {
  if (engine === 'sqlite') {
    const file = path.join(createFolder(), 'guildbook.db');
    migrateSqliteFile(file);
    return {
      databaseUrl: `sqlite:${file}`,
      async execute(sql) {
        const db = openConnection(file);
        db.exec(sql);
        db.close();
      },
      async sealBytes() {
        // A copy without the logs shows how much they take.
        const db = openConnection(file);
        const [whole, bare] = ['whole', 'bare'].map((name) => path.join(createFolder(), `${name}.db`));
        db.exec(`VACUUM INTO '${whole}'`);
        db.close();
        const copy = openConnection(whole ?? '');
        copy.exec(`DELETE FROM seal_tile; DELETE FROM seal_log; VACUUM INTO '${bare}'`);
        copy.close();
        return statSync(whole ?? '').size - statSync(bare ?? '').size;
      },
    };
  }
  const database = await startDatabase([]);
  await migratePostgres(parseDatabaseUrl(database.url));
  return {
    databaseUrl: database.url,
    async execute(sql) {
      await query(database.url, sql);
    },
    async sealBytes() {
      const rows = await query(
        database.url,
        `SELECT pg_total_relation_size('seal_tile') + pg_total_relation_size('seal_log') AS bytes`,
      );
      return Number(rows[0]?.bytes);
    },
  };
}

/** Fills a ledger as if it were from before sealing. */
function fillSql(engine: 'sqlite' | 'postgres', { guildNo }: Guild, rows: number): string[] {
  const numbers =
    engine === 'sqlite'
      ? `(WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rows}) SELECT n FROM numbers)`
      : `(SELECT generate_series(1, ${rows}) AS n)`;
  const id =
    engine === 'sqlite'
      ? `lower(printf('%08x-%04x-7%03x-8%03x-%012x', n, n % 65536, n % 4096, n % 4096, n))`
      : `format('%s-%s-7%s-8%s-%s', lpad(to_hex(n), 8, '0'), lpad(to_hex(n % 65536), 4, '0'), lpad(to_hex(n % 4096), 3, '0'), lpad(to_hex(n % 4096), 3, '0'), lpad(to_hex(n), 12, '0'))`;
  return [
    `INSERT INTO account (guild_no, account_no, player_id, balance, transaction_count, last_created_at)
     SELECT ${guildNo}, 1000000 + n, 'old ' || n, 0, 0, 0 FROM ${numbers} AS numbers WHERE n <= 1000`,
    `INSERT INTO ledger_transaction (guild_no, account_no, seq, transaction_id, amount, quantity, total, name, source, balance_after,
       created_at, number)
     SELECT ${guildNo}, 1000000 + 1 + (n - 1) % 1000, 1 + (n - 1) / 1000, ${id}, 10000, 1, 10000, 'Iron Ingot', 'shop', n,
       1700000000000 + n, n FROM ${numbers} AS numbers`,
    `UPDATE guild_ledger SET last_number = ${rows} WHERE guild_no = ${guildNo}`,
  ];
}

/** Posts with many workers for the length of a round. Returns posts a second. */
async function postRound(store: Store, guild: Guild): Promise<number> {
  const beganMs = performance.now();
  let count = 0;
  const work = async () => {
    while (performance.now() - beganMs < ROUND_MS) {
      count += 1;
      await store.ledger.append({
        transactionId: systemIds.uuid(),
        guild,
        playerId: `player ${count % PLAYERS}`,
        name: 'Iron Ingot',
        source: 'bench',
        amountUnits: 10_000,
        quantity: 1,
        totalUnits: 10_000,
        createdAtMs: systemClock.nowMs(),
        keyNo: undefined,
        idempotency: undefined,
      });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return (count * 1_000) / (performance.now() - beganMs);
}

async function untilSealed(store: Store, guild: Guild): Promise<void> {
  for (;;) {
    const { log, lastNumber } = await store.seals.state(guild);
    if ((log?.size ?? 0) === lastNumber) {
      return;
    }
    await wait(20);
  }
}

/** Watches how long the last number waits until it is sealed. */
function watchLag(store: Store, guild: Guild) {
  const seen: { number: number; atMs: number }[] = [];
  let worstMs = 0;
  const timer = setInterval(async () => {
    const { log, lastNumber } = await store.seals.state(guild);
    const nowMs = performance.now();
    seen.push({ number: lastNumber, atMs: nowMs });
    const waiting = seen.find(({ number }) => number > (log?.size ?? 0));
    worstMs = Math.max(worstMs, waiting === undefined ? 0 : nowMs - waiting.atMs);
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return worstMs;
  };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function measure(engine: 'sqlite' | 'postgres'): Promise<void> {
  const place = await placeOf(engine);
  const config = readConfig({
    DATABASE_URL: place.databaseUrl,
    SECRET_KEY: 'a-secret-of-the-benchmark-that-is-long-enough',
  });
  const store = await openStore(config, {
    schema: 'expect',
    onFatal(error) {
      throw error;
    },
  });
  const found = (guildId: string) =>
    store.guilds.set(
      { guildId, name: guildId, plan: 'none', defaultPlan: 'none' },
      { actor: ACTOR, atMs: 0 },
    );
  const [busy, old] = [await found('busy'), await found('old')];
  const keys = openSealKeys(config, ENVIRONMENT, {
    store,
    keyring: createOperatorKeyring(config, systemIds),
  });
  const rates = { without: [] as number[], with: [] as number[] };
  let worstMs = 0;
  await postRound(store, busy);
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.without.push(await postRound(store, busy));
    const sealing = startSealing(ENVIRONMENT, { store, keys });
    await untilSealed(store, busy);
    const endLag = watchLag(store, busy);
    rates.with.push(await postRound(store, busy));
    worstMs = Math.max(worstMs, endLag());
    await untilSealed(store, busy);
    await sealing.stop();
  }
  for (const sql of fillSql(engine, old, OLD_ROWS)) {
    await place.execute(sql);
  }
  const sealing = startSealing(ENVIRONMENT, { store, keys });
  const beganMs = performance.now();
  await untilSealed(store, old);
  const backlogSeconds = (performance.now() - beganMs) / 1_000;
  await sealing.stop();
  const cost = await receiptCost(store, old, keys);
  const leaves = (await store.seals.state(old)).lastNumber + (await store.seals.state(busy)).lastNumber;
  await store.close();
  const bytes = (await place.sealBytes()) / leaves;
  const ratio = median(rates.with) / median(rates.without);
  console.log(
    [
      `| ${engine}`,
      `${Math.round(median(rates.without))} and ${Math.round(median(rates.with))} posts/s: ${ratio.toFixed(3)}`,
      `${(worstMs / 1_000).toFixed(1)} s behind`,
      `${OLD_ROWS} old rows in ${backlogSeconds.toFixed(1)} s`,
      `receipt ${cost.toFixed(2)} ms`,
      `${bytes.toFixed(1)} bytes |`,
    ].join(' | '),
  );
}

/** Processor time of a receipt in milliseconds, over transactions of the whole ledger. */
async function receiptCost(
  store: Store,
  guild: Guild,
  keys: ReturnType<typeof openSealKeys>,
): Promise<number> {
  const seals = createSeals({ store, keys });
  const ids: string[] = [];
  for (let index = 0; index < RECEIPTS; index += 1) {
    const after = Math.floor(Math.random() * OLD_ROWS);
    const [entry] = await store.entries.feed(guild, { after: Math.min(after, OLD_ROWS - 1), limit: 1 });
    ids.push(entry?.transactionId ?? '');
  }
  const before = process.cpuUsage();
  for (const id of ids) {
    await seals.receipt(guild, id);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / RECEIPTS;
}

await runAndUndo(async () => {
  for (const engine of ENGINES) {
    await measure(engine);
  }
});
