import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { GUILD_TABLES } from '../../src/store/postgres/spread-tables.ts';
import { placeOfText } from '../../src/store/postgres/statement-place.ts';
import {
  aGuild,
  aHistoryQuery,
  aPastTransaction,
  aQuery,
  aTransaction,
  CHANGE,
  NOON_MS,
} from '../contract/specimens.ts';
import { expectSameAnswers, startSide } from '../http/same-requests.ts';
import { createDatabase } from '../postgres/database.ts';
import { openStoreAt } from '../postgres/store.ts';

const REQUESTS = 300;
const PLANNED = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|DECLARE)/i;
/**
 * Changes of what belongs to no guild and has a copy on every machine: people, commands, the last use of keys. And how often
 * the keys of many guilds were used and refused, which is counted, written and summed together, on no request's way.
 */
const OF_NO_GUILD =
  /^(?:INSERT INTO (?:verification|past_user|command|key_hour|key_request) |DELETE FROM key_hour |SELECT u\.key_no AS "keyNo"|WITH used AS )/;
const CURSOR = /^DECLARE reading NO SCROLL CURSOR FOR /;

interface Sent {
  text: string;
  values: unknown[];
}

/** Notes every statement that this process sends, each text once, with the values it came with first. */
function recordStatements(): Map<string, Sent> {
  const sent = new Map<string, Sent>();
  const { query } = pg.Client.prototype;
  const noting = function (this: pg.Client, ...args: Parameters<typeof query>) {
    const [first, second] = args as unknown as [string | Sent, unknown[] | undefined];
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : first;
    if (typeof text === 'string' && PLANNED.test(text) && !OF_NO_GUILD.test(text) && !sent.has(text)) {
      sent.set(text, { text: text.replace(CURSOR, ''), values: values ?? [] });
    }
    return Reflect.apply(query, this, args);
  };
  pg.Client.prototype.query = noting as typeof query;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
  return sent;
}

const OF_GUILD = new RegExp(`\\b(?:${GUILD_TABLES.join('|')})_\\d{6}\\b`);

/**
 * Those of the statements that more than one task carries out, or one that moves rows through the coordinator, and those of a guild's
 * rows that an instance would not send to the guild's worker.
 */
async function findScattered(url: string, statements: Iterable<Sent>): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const scattered: string[] = [];
  try {
    for (const { text, values } of statements) {
      const { rows } = await client.query({ text: `EXPLAIN ${text}`, values });
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      const counts = Array.from(plan.matchAll(/Task Count: (\d+)/g), ([, count]) => Number(count));
      const isSingle = counts.length <= 1 && counts.every((count) => count === 1);
      const isMisplaced = OF_GUILD.test(plan) && typeof placeOfText(text) === 'string';
      if (isMisplaced || !isSingle || /pull to coordinator|repartition|Distributed Subplan/.test(plan)) {
        scattered.push(`${text}\n${plan}`);
      }
    }
    return scattered;
  } finally {
    await client.end();
  }
}

/** Calls the store as the interface for bots does, in addition to the random requests. */
async function useLedger(store: Store, guild: Guild): Promise<void> {
  const ids = [randomUUID(), randomUUID(), randomUUID(), randomUUID()] as const;
  const paymentId = randomUUID();
  const requestHash = createHash('sha256').update('x').digest('hex');
  const post = (index: 0 | 1 | 2 | 3, changes = {}) =>
    aTransaction(guild, { transactionId: ids[index], playerId: `p${index % 2}`, ...changes });
  await store.ledger.append(post(0, { idempotency: { key: 'one', requestHash } }));
  await store.ledger.appendGroup({
    guild,
    transactions: [post(1, { extra: { paymentId } }), post(2, { extra: { paymentId, reference: 'r' } })],
    idempotency: { key: 'group', requestHash },
  });
  await store.ledger.append(post(3, { postedBy: '42' }));
  await store.ledger.setFloor(guild, { playerId: 'p0', floorUnits: 5 }, CHANGE);
  const past = aPastTransaction(guild, { playerId: 'p1', createdAtMs: NOON_MS - 5 });
  await store.ledger.import(guild, [past, past]);
  await store.ledger.import(guild, [past]);
  await store.entries.find(guild, ids[0]);
  await store.entries.findMany(guild, ids);
  await store.entries.findPayments(guild, [paymentId]);
  await store.entries.feed(guild, { after: 0, limit: 10 });
  await store.entries.account(guild, 'p0');
  await store.entries.account(guild, 'p0', NOON_MS);
  await store.entries.accounts(guild, ['p0', 'p1']);
  await store.entries.balances(guild, { sortOrder: 'asc', limit: 2, after: undefined });
  await store.entries.balances(guild, {
    sortOrder: 'desc',
    limit: 2,
    after: { balanceUnits: 1, accountNo: 1 },
  });
  const page = aHistoryQuery({ limit: 5 });
  await store.entries.history(guild, page);
  await store.entries.history(guild, { ...page, playerId: 'p0', sinceMs: 0, untilMs: NOON_MS });
  await store.entries.history(guild, { ...page, reference: 'r' });
  await store.entries.history(guild, { ...page, source: 'shop' });
  await store.ledger.list(guild, 'p0', aQuery());
  await store.ledgerViews.findPlayer(guild, 'p0');
  await store.ledgerViews.history(guild, 'p0', 5);
  await Array.fromAsync(store.ledger.read(guild));
}

it('every statement of a guild is one task on one machine', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const store = await openStoreAt(database.url);
  const guild = await store.guilds.set(aGuild({ guildId: 'planned' }), CHANGE);
  const sent = recordStatements();
  await useLedger(store, guild);
  // Both stores are on the cluster, because cursors hold numbers that have gaps here and none on the embedded store.
  const [left, right] = [await createDatabase(), await createDatabase()];
  onTestFinished(left.remove);
  onTestFinished(right.remove);
  await expectSameAnswers(await startSide(left.url), await startSide(right.url), REQUESTS);
  expect(sent.size).toBeGreaterThan(80);
  expect(await findScattered(database.url, sent.values())).toEqual([]);
});

it('posting asks no machine but the one that has the guild, and moves no rows through the coordinator', async () => {
  const database = await createDatabase();
  onTestFinished(database.remove);
  const store = await openStoreAt(database.url);
  const guild = await store.guilds.set(aGuild({ guildId: 'local' }), CHANGE);
  const sent = recordStatements();
  await store.ledger.append(aTransaction(guild, { idempotency: { key: 'k', requestHash: 'h' } }));
  await store.ledger.append(aTransaction(guild, { postedBy: '42' }));
  const calls = Array.from(sent.values()).filter(({ text }) => /append_(?:guild|correction)/.test(text));
  expect(calls).toHaveLength(2);
  const [worker] = await database.query<{ port: number }>(
    `SELECT nodeport AS port FROM citus_shards WHERE shardid = get_shard_id_for_distribution_column('guild_ledger', $1::bigint)`,
    [guild.guildNo],
  );
  const url = new URL(database.url);
  const client = new pg.Client({
    host: '127.0.0.1',
    port: worker?.port ?? 0,
    user: url.username,
    database: database.name,
  });
  await client.connect();
  onTestFinished(() => client.end());
  const notices: string[] = [];
  client.on('notice', ({ message }) => notices.push(String(message)));
  await client.query('SET citus.log_remote_commands = on; SET citus.log_local_commands = on; BEGIN');
  for (const { text, values } of calls) {
    await client.query('SAVEPOINT call');
    await client.query({ text, values }).catch(() => {});
    await client.query('ROLLBACK TO call');
  }
  await client.query('ROLLBACK');
  expect(notices.filter((message) => message.startsWith('issuing'))).toEqual([]);
  expect(notices.some((message) => /guild_ledger_\d+/.test(message))).toBe(true);
});
