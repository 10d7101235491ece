import { PROGRAMS } from '../../scripts/requirements.ts';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { query, startDatabase } from '../jobs/postgres.ts';
import { DISTINCT_PLAYERS, smallPlayerOf } from '../support/loads.ts';
import { startProgram } from '../support/servers.ts';
import type { Load } from '../support/wrk.ts';
import { callJson } from './call-json.ts';
import { buildGoProgram, openLog } from './obtain.ts';
import { expectEqual, type JobName, PAGE_ROWS, type Peer } from './peer.ts';
import type { Sample } from './sample.ts';

// Written by the documentation of the ledger's API. See bench/README.md for whether it has been run.

/** The tags of version 2 are no versions of its Go module, so a commit is named. */
const VERSION = 'v0.0.0-20251204132242-3d438e4b28ef';
const LEDGER = 'bench';
const ASSET = 'COIN/4';
const UNITS = 10_000;
const BULK_ROWS = 100;
const LIST_REQUESTS = 1_000;

/** A double-entry ledger on PostgreSQL, started without authentication. It has no records, so the first job reads a transaction. */
export const formance: Peer = {
  name: 'formance',
  title: 'Formance Ledger',
  version: `commit ${VERSION.split('-').at(-1)}`,
  survivesPowerCut: true,
  durability: 'PostgreSQL, `fsync` and `synchronous_commit` on',
  programs: [PROGRAMS.postgres],
  obtain: (folder) =>
    buildGoProgram(folder, {
      module: 'github.com/formancehq/ledger',
      version: VERSION,
      sameRepository: ['github.com/formancehq/ledger/pkg/client'],
    }),
  async start({ program, folder, sample }) {
    const [databasePort, port] = [await findSparePort(), await findSparePort()];
    const database = await startDatabase([], { port: databasePort });
    const postgresUri = `postgres://guildbook@127.0.0.1:${databasePort}/postgres?sslmode=disable`;
    const server = await startProgram({
      command: program,
      arguments: ['serve', '--bind', `127.0.0.1:${port}`, '--postgres-uri', postgresUri, '--auto-upgrade'],
      env: {},
      port,
      readyPath: '/_healthcheck',
      output: openLog(folder),
    });
    const ids = await fill(server.address, sample);
    const loads = createFormanceLoads(ids);
    return {
      server,
      loads,
      check: (job, index, body) => checkAnswer(ids, { job, index, body }),
      async countTransactions() {
        const rows = await query(database.url, 'SELECT count(*) AS count FROM "_default".transactions');
        return Number(rows[0]?.count);
      },
      async stop() {
        await server.stop();
        await database.stop();
      },
    };
  },
};

/** Posts the deposits and withdrawals of the sample, and returns the ids of the transactions. */
async function fill(address: string, { transactions }: Sample): Promise<number[]> {
  await fetch(`${address}/v2/${LEDGER}`, { method: 'POST' });
  const ids: number[] = [];
  for (let start = 0; start < transactions.length; start += BULK_ROWS) {
    const rows = transactions.slice(start, start + BULK_ROWS);
    const { data } = await callJson<{ data: { data: { id: number } }[] }>(address, {
      path: `/v2/${LEDGER}/_bulk`,
      body: rows.map(({ playerId, total, name, source }) => ({
        action: 'CREATE_TRANSACTION',
        data: { postings: [postingOf(playerId, total)], metadata: { name, source }, force: true },
      })),
    });
    ids.push(...data.map(({ data: { id } }) => id));
  }
  return ids;
}

function postingOf(playerId: string, total: number): object {
  const account = `players:${playerId}`;
  const [source, destination] = total < 0 ? [account, 'world'] : ['world', account];
  return { source, destination, amount: Math.round(Math.abs(total) * UNITS), asset: ASSET };
}

function createFormanceLoads(ids: readonly number[]): Record<JobName, Load> {
  return {
    record: {
      count: ids.length,
      request: (index) => ({ path: `/v2/${LEDGER}/transactions/${ids[index]}` }),
    },
    // The first version of its API takes the filter from the address; the second one takes it from the body of the request.
    list: {
      count: LIST_REQUESTS,
      request: (index) => ({
        path: `/${LEDGER}/transactions?pageSize=${PAGE_ROWS}&account=players:${smallPlayerOf(index)}`,
      }),
    },
    // Deposits alone: a withdrawal from a new account would be refused.
    post: {
      count: DISTINCT_PLAYERS,
      request: (index) => ({
        path: `/v2/${LEDGER}/transactions`,
        body: JSON.stringify({
          postings: [postingOf(`new-${index}`, 17.25)],
          metadata: { name: `Iron Ingot ${index % 300}`, source: `source-${index % 10}` },
        }),
      }),
    },
  };
}

function checkAnswer(
  ids: readonly number[],
  { job, index, body }: { job: JobName; index: number; body: string },
): void {
  const answer = JSON.parse(body);
  if (job === 'record') {
    expectEqual(answer.data.id, ids[index], 'the id of the transaction');
  } else if (job === 'list') {
    expectEqual(answer.cursor.data.length, PAGE_ROWS, 'the number of transactions');
    for (const { postings } of answer.cursor.data) {
      const { source, destination } = postings[0];
      const account = source === 'world' ? destination : source;
      expectEqual(account, `players:${smallPlayerOf(index)}`, 'the account of a transaction');
    }
  } else {
    expectEqual(answer.data.postings[0].destination, `players:new-${index}`, 'the account');
  }
}
