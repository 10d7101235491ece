import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { composeService, type Service, systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import type { Guild } from '../server/src/domain/model.ts';
import { parseDatabaseUrl } from '../server/src/store/postgres/connection.ts';
import { migratePostgres } from '../server/src/store/postgres/migrate.ts';
import { openConnection } from '../server/src/store/sqlite/connection.ts';
import { migrateSqliteFile } from '../server/src/store/sqlite/migrate.ts';
import { query, startDatabase } from './jobs/postgres.ts';
import { createFolder } from './support/processes.ts';
import { runAndUndo } from './support/undo.ts';

/**
 * The cost of webhooks that have nothing to deliver, and the delay of deliveries beside them: 100,000 idle endpoints of
 * 10,000 guilds and 1,000 active ones of 1,000 guilds, on both stores, with a service in this process. Prints one row
 * for each store. Arguments: the number of idle endpoints, and one of the stores.
 */
const IDLE = Number(process.argv[2] ?? 100_000);
const ENGINES = (['sqlite', 'postgres'] as const).filter((engine) => (process.argv[3] ?? engine) === engine);
const ACTIVE = 1_000;
const IDLE_PER_GUILD = 10;
const IDLE_SECONDS = 20;
const LOOKS = 10;
const ROUNDS = 3;
const ROUND_WAIT_MS = 60_000;
/** Far above the numbers of the active guilds. */
const FIRST_IDLE_GUILD = 1_000_000;
const ACTOR = { kind: 'operator', id: 'bench' } as const;

/** The same statements on both stores, except that SQLite has no counters of logs to write. */
function fillStatements(engine: 'sqlite' | 'postgres'): string[] {
  const guilds = Math.ceil(IDLE / IDLE_PER_GUILD);
  const numbers = (count: number) =>
    `WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})`;
  const flag = engine === 'sqlite' ? '1' : 'true';
  const ofIdleGuilds = `FROM guild WHERE guild_no >= ${FIRST_IDLE_GUILD}`;
  return [
    `${numbers(guilds)} INSERT INTO guild (guild_no, guild_id, name, plan, overdraft_allowed, created_at)
     SELECT ${FIRST_IDLE_GUILD} + n, 'idle ' || n, 'Idle', 'none', ${flag}, 0 FROM numbers`,
    `INSERT INTO guild_ledger (guild_no, last_number) SELECT guild_no, 0 ${ofIdleGuilds}`,
    ...(engine === 'sqlite'
      ? []
      : [`INSERT INTO audit_counter (guild_no, last_entry_no) SELECT guild_no, 0 ${ofIdleGuilds}`]),
    `${numbers(IDLE)} INSERT INTO webhook (guild_no, webhook_id, kind, url, events, filter, status, created_at, generation,
       follows_feed, follows_audit, follows_people, feed_number, audit_entry_no, people_entry_no, announced_keys, lease_until)
     SELECT ${FIRST_IDLE_GUILD} + n / ${IDLE_PER_GUILD}, 'idle ' || n, 'standard', 'https://example.org/',
       '["transaction.posted"]', '{}', 'active', 0, 1, ${flag}, ${flag}, ${flag}, 0, 0, 0, '[]', 0 FROM numbers`,
  ];
}

interface Place {
  databaseUrl: string;
  /** Processor time of the database server; 0 for SQLite, which runs in this process. */
  serverCpuMs: () => number;
}

async function placeOf(engine: 'sqlite' | 'postgres'): Promise<Place> {
  if (engine === 'sqlite') {
    const file = path.join(createFolder(), 'guildbook.db');
    migrateSqliteFile(file);
    const db = openConnection(file);
    for (const statement of fillStatements(engine)) {
      db.exec(statement);
    }
    db.close();
    return { databaseUrl: `sqlite:${file}`, serverCpuMs: () => 0 };
  }
  const database = await startDatabase([]);
  await migratePostgres(parseDatabaseUrl(database.url));
  for (const statement of fillStatements(engine)) {
    await query(database.url, statement);
  }
  await query(database.url, 'VACUUM ANALYZE');
  return { databaseUrl: database.url, serverCpuMs: database.cpuMs };
}

async function startReceiver() {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume();
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received: () => received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function addActive({ store, webhooks }: Service, url: string): Promise<Guild[]> {
  const guilds: Guild[] = [];
  for (let index = 0; index < ACTIVE; index += 1) {
    const order = { guildId: `active ${index}`, name: 'Active', plan: 'none', defaultPlan: 'none' } as const;
    const guild = await store.guilds.set(order, { actor: ACTOR, atMs: 0 });
    await webhooks.create(guild, { url, kind: 'standard', events: ['transaction.posted'] }, ACTOR);
    guilds.push(guild);
  }
  return guilds;
}

/** Posts once to each guild. Returns the time until the last delivery has arrived. */
async function deliverRound(
  { store }: Service,
  guilds: readonly Guild[],
  received: () => number,
): Promise<number> {
  const expected = received() + guilds.length;
  const startMs = performance.now();
  await Promise.all(
    guilds.map((guild) =>
      store.ledger.append({
        transactionId: systemIds.uuid(),
        guild,
        playerId: 'p',
        name: 'Iron',
        source: 'bench',
        amountUnits: 100,
        quantity: 1,
        totalUnits: 100,
        createdAtMs: systemClock.nowMs(),
        keyNo: undefined,
        idempotency: undefined,
      }),
    ),
  );
  while (received() < expected && performance.now() - startMs < ROUND_WAIT_MS) {
    await wait(5);
  }
  return received() < expected ? Number.NaN : performance.now() - startMs;
}

/** The median duration of a claim that finds nothing. */
async function measureLook({ store }: Service): Promise<number> {
  const durations: number[] = [];
  const bounds = { limit: 256, failingLimit: 64, guildLimit: 4 };
  for (let look = 0; look < LOOKS; look += 1) {
    const nowMs = systemClock.nowMs();
    const startMs = performance.now();
    await store.webhooks.claim({ holder: 'bench', kind: 'standard', nowMs, untilMs: nowMs + 1, ...bounds });
    durations.push(performance.now() - startMs);
  }
  return durations.toSorted((one, other) => one - other)[LOOKS / 2] ?? Number.NaN;
}

async function measure(engine: 'sqlite' | 'postgres'): Promise<void> {
  const { databaseUrl, serverCpuMs } = await placeOf(engine);
  const receiver = await startReceiver();
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1',
  });
  const service = await composeService(config, {
    clock: systemClock,
    ids: systemIds,
    logger: pino({ level: 'silent' }),
    onFatal(error) {
      throw error;
    },
  });
  const guilds = await addActive(service, receiver.url);
  await wait(2_000);
  const lookMs = await measureLook(service);
  const [cpuBefore, serverBefore] = [process.cpuUsage(), serverCpuMs()];
  await wait(IDLE_SECONDS * 1_000);
  const { user, system } = process.cpuUsage(cpuBefore);
  const [ownMs, serverMs] = [(user + system) / 1_000, serverCpuMs() - serverBefore];
  const rounds: number[] = [];
  const [deliveryCpuBefore, deliveryServerBefore] = [process.cpuUsage(), serverCpuMs()];
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push(await deliverRound(service, guilds, receiver.received));
    await wait(1_000);
  }
  const delivering = process.cpuUsage(deliveryCpuBefore);
  const deliveryMs = (ms: number) => `${(ms / ROUNDS).toFixed(0)} ms`;
  const perSecond = (ms: number) => `${(ms / IDLE_SECONDS).toFixed(1)} ms`;
  console.log(
    `${engine}, ${IDLE} idle endpoints: a look takes ${lookMs.toFixed(1)} ms; processor time a second while idle: ` +
      `${perSecond(ownMs)} service, ${perSecond(serverMs)} database server; ` +
      `${ACTIVE} deliveries after one post each: ${rounds.map((ms) => `${(ms / 1_000).toFixed(2)} s`).join(', ')}; ` +
      `processor time of each: ${deliveryMs((delivering.user + delivering.system) / 1_000)} service with receiver, ` +
      `${deliveryMs(serverCpuMs() - deliveryServerBefore)} database server`,
  );
  await service.close();
  receiver.close();
}

await runAndUndo(async () => {
  for (const engine of ENGINES) {
    await measure(engine);
  }
});
