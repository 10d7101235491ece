import { PROGRAMS } from '../../scripts/requirements.ts';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { query, startDatabase, startRedis } from '../jobs/postgres.ts';
import { DISTINCT_PLAYERS } from '../support/loads.ts';
import { runToEnd } from '../support/processes.ts';
import { startProgram } from '../support/servers.ts';
import { type Load, UNIQUE_TEXT } from '../support/wrk.ts';
import { callJson } from './call-json.ts';
import { buildGoProgram, openLog } from './obtain.ts';
import { expectEqual, type JobName, type Peer } from './peer.ts';
import type { Sample } from './sample.ts';

// Written by the documentation of Blnk's API. See bench/README.md for whether it has been run.

const VERSION = 'v0.15.3';
const CURRENCY = 'COIN';
const PRECISION = 10_000;
const AT_ONCE = 16;

/**
 * A double-entry ledger on PostgreSQL and Redis, started without authentication. It has no records, so the first job reads a
 * transaction, and no list of one account's transactions without its search server. `skip_queue` makes it answer a post after
 * the commit. It listens on all addresses and has no setting for that.
 */
export const blnk: Peer = {
  name: 'blnk',
  title: 'Blnk',
  version: VERSION.slice(1),
  survivesPowerCut: true,
  durability: 'PostgreSQL, `fsync` and `synchronous_commit` on, posts with `skip_queue`',
  programs: [PROGRAMS.postgres, PROGRAMS.redis],
  obtain: (folder) =>
    buildGoProgram(folder, { module: 'github.com/blnkfinance/blnk', version: VERSION, folder: 'cmd' }),
  async start({ program, folder, sample }) {
    const [databasePort, port] = [await findSparePort(), await findSparePort()];
    const database = await startDatabase([], { port: databasePort });
    const redis = await startRedis();
    const env = {
      BLNK_DATA_SOURCE_DNS: `postgres://guildbook@127.0.0.1:${databasePort}/postgres?sslmode=disable`,
      BLNK_REDIS_DNS: new URL(redis.url).host,
      BLNK_SERVER_PORT: String(port),
      BLNK_ENABLE_TELEMETRY: 'false',
    };
    await runToEnd(program, ['migrate', 'up'], { cwd: folder, env: { ...process.env, ...env } });
    const server = await startProgram({
      command: program,
      arguments: ['start'],
      env,
      port,
      readyPath: '/',
      output: openLog(folder),
    });
    const ids = await fill(server.address, sample);
    return {
      server,
      loads: createBlnkLoads(ids),
      check: (job, index, body) => checkAnswer(ids, { job, index, body }),
      async countTransactions() {
        const rows = await query(database.url, 'SELECT count(*) AS count FROM blnk.transactions');
        return Number(rows[0]?.count);
      },
      async stop() {
        await server.stop();
        await redis.stop();
        await database.stop();
      },
    };
  },
};

/** Posts the sample, some rows at once, and returns the ids of the transactions. */
async function fill(address: string, { transactions }: Sample): Promise<string[]> {
  const ids: string[] = [];
  for (let start = 0; start < transactions.length; start += AT_ONCE) {
    const rows = transactions.slice(start, start + AT_ONCE);
    const added = await Promise.all(
      rows.map(({ transactionId, playerId, total, name }) =>
        callJson<{ transaction_id: string }>(address, {
          path: '/transactions',
          body: transactionOf({ reference: transactionId, playerId, total, name }),
        }),
      ),
    );
    ids.push(...added.map(({ transaction_id }) => transaction_id));
  }
  return ids;
}

function transactionOf(row: { reference: string; playerId: string; total: number; name: string }): object {
  const account = `@${row.playerId}`;
  const [source, destination] = row.total < 0 ? [account, '@world'] : ['@world', account];
  return {
    amount: Math.abs(row.total),
    precision: PRECISION,
    reference: row.reference,
    currency: CURRENCY,
    source,
    destination,
    description: row.name,
    allow_overdraft: true,
    skip_queue: true,
  };
}

function createBlnkLoads(ids: readonly string[]): Partial<Record<JobName, Load>> {
  return {
    record: { count: ids.length, request: (index) => ({ path: `/transactions/${ids[index]}` }) },
    post: {
      count: DISTINCT_PLAYERS,
      // It refuses a reference that it has seen.
      hasUniqueTexts: true,
      request: (index) => ({
        path: '/transactions',
        body: JSON.stringify(
          transactionOf({
            reference: UNIQUE_TEXT,
            playerId: `new-${index}`,
            total: index % 3 === 0 ? -12.5 : 17.25,
            name: `Iron Ingot ${index % 300}`,
          }),
        ),
      }),
    },
  };
}

function checkAnswer(
  ids: readonly string[],
  { job, index, body }: { job: JobName; index: number; body: string },
): void {
  const answer = JSON.parse(body);
  if (job === 'record') {
    expectEqual(answer.transaction_id, ids[index], 'the id of the transaction');
  } else {
    expectEqual(answer.status, 'APPLIED', 'the status of the transaction');
  }
}
