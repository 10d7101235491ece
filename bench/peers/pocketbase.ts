import path from 'node:path';
import { findSparePort } from '../../server/test/support/spare-port.ts';
import { DISTINCT_PLAYERS, RECORDS_ASKED, smallPlayerOf, transaction } from '../support/loads.ts';
import { runToEnd } from '../support/processes.ts';
import { startProgram } from '../support/servers.ts';
import type { Load } from '../support/wrk.ts';
import { callJson } from './call-json.ts';
import { buildGoProgram, openLog } from './obtain.ts';
import { ACCOUNT_ROWS, expectEqual, type JobName, PAGE_ROWS, type Peer } from './peer.ts';
import { countRows } from './same-interface.ts';
import type { Sample } from './sample.ts';

const VERSION = 'v0.39.11';
const SUPERUSER = { identity: 'bench@example.com', password: 'bench-password' };
const BATCH_ROWS = 500;
/** Far more than there are players, so that a round does not begin with the same ones each time. */
const LIST_REQUESTS = 1_000;

const text = (name: string) => ({ name, type: 'text' });
const number = (name: string) => ({ name, type: 'number' });
const COLLECTIONS = [
  {
    name: 'discharges',
    type: 'base',
    fields: [
      'dischargeId',
      'guildId',
      'chatId',
      'playerId',
      'name',
      'reason',
      'date',
      'type',
      'from',
      'signed',
    ].map(text),
  },
  {
    name: 'transactions',
    type: 'base',
    fields: [
      ...['playerId', 'name', 'source'].map(text),
      ...['amount', 'quantity'].map(number),
      { name: 'created', type: 'autodate', onCreate: true },
    ],
    indexes: ['CREATE INDEX transactions_of_player ON transactions (playerId, created)'],
  },
];

/** As it comes: its own program with its default settings. Superuser tokens are its way of server-to-server access. */
export const pocketbase: Peer = {
  name: 'pocketbase',
  title: 'PocketBase',
  version: VERSION.slice(1),
  survivesPowerCut: false,
  durability: 'SQLite, WAL, `synchronous=NORMAL`, its default',
  programs: [],
  obtain: (folder) =>
    buildGoProgram(folder, {
      module: 'github.com/pocketbase/pocketbase',
      version: VERSION,
      // The program that its own releases contain.
      folder: 'examples/base',
    }),
  async start({ program, folder, sample }) {
    const data = path.join(folder, 'pocketbase');
    const { identity, password } = SUPERUSER;
    await runToEnd(program, ['superuser', 'upsert', identity, password, '--dir', data]);
    const port = await findSparePort();
    const server = await startProgram({
      command: program,
      arguments: ['serve', '--http', `127.0.0.1:${port}`, '--dir', data],
      env: {},
      port,
      readyPath: '/api/health',
      output: openLog(folder),
    });
    const { token } = await callJson<{ token: string }>(server.address, {
      path: '/api/collections/_superusers/auth-with-password',
      body: SUPERUSER,
    });
    const headers = { authorization: token };
    const ids = await fill(server.address, headers, sample);
    const loads = createPocketBaseLoads(ids, headers);
    return {
      server,
      loads,
      check: (job, index, body) => checkAnswer(loads, { job, index, body }),
      countTransactions: async () => countRows(path.join(data, 'data.db'), 'transactions'),
      stop: server.stop,
    };
  },
};

/** Returns the ids that PocketBase gave to the discharges, in the order in which the load asks for them. */
async function fill(
  address: string,
  headers: Record<string, string>,
  { discharges, transactions }: Sample,
): Promise<string[]> {
  for (const collection of COLLECTIONS) {
    await callJson(address, { path: '/api/collections', headers, body: collection });
  }
  const setBatch = (batch: object) =>
    callJson(address, { method: 'PATCH', path: '/api/settings', headers, body: { batch } });
  await setBatch({ enabled: true, maxRequests: BATCH_ROWS, timeout: 60 });
  const add = async (collection: string, rows: readonly object[]) => {
    const ids: string[] = [];
    for (let start = 0; start < rows.length; start += BATCH_ROWS) {
      const requests = rows
        .slice(start, start + BATCH_ROWS)
        .map((body) => ({ method: 'POST', url: `/api/collections/${collection}/records`, body }));
      const added = await callJson<{ body: { id: string } }[]>(address, {
        path: '/api/batch',
        headers,
        body: { requests },
      });
      ids.push(...added.map(({ body }) => body.id));
    }
    return ids;
  };
  const ids = await add(
    'discharges',
    discharges.map(({ id: dischargeId, ...row }) => ({ dischargeId, ...row })),
  );
  await add(
    'transactions',
    transactions.map(({ playerId, name, source, amount, quantity }) => ({
      playerId,
      name,
      source,
      amount,
      quantity,
    })),
  );
  // Its default.
  await setBatch({ enabled: false });
  const idOf = new Map(discharges.map(({ id }, position) => [id, ids[position] ?? '']));
  return Array.from({ length: RECORDS_ASKED }, (_unused, index) => idOf.get(`D-${index}`) ?? '');
}

/** The same records, players and transactions as in the loads of the service. */
function createPocketBaseLoads(
  ids: readonly string[],
  headers: Record<string, string>,
): Record<JobName, Load> {
  const records = '/api/collections/transactions/records';
  return {
    record: {
      count: RECORDS_ASKED,
      request: (index) => ({ path: `/api/collections/discharges/records/${ids[index]}`, headers }),
    },
    list: {
      count: LIST_REQUESTS,
      request(index) {
        const filter = encodeURIComponent(`playerId="${smallPlayerOf(index)}"`);
        return { path: `${records}?perPage=${PAGE_ROWS}&sort=-created&filter=${filter}`, headers };
      },
    },
    post: {
      count: DISTINCT_PLAYERS,
      request: (index) => ({ path: records, headers, body: transaction(`new-${index}`, index) }),
    },
  };
}

function checkAnswer(
  loads: Record<JobName, Load>,
  { job, index, body }: { job: JobName; index: number; body: string },
): void {
  const answer = JSON.parse(body);
  const request = loads[job].request(index);
  if (job === 'record') {
    expectEqual(answer.id, request.path.split('/').at(-1), 'the id of the record');
    expectEqual(answer.dischargeId, `D-${index}`, 'the id of the discharge');
  } else if (job === 'list') {
    expectEqual(answer.items.length, PAGE_ROWS, 'the number of transactions');
    expectEqual(answer.totalItems, ACCOUNT_ROWS, 'the total');
    for (const item of answer.items) {
      expectEqual(item.playerId, smallPlayerOf(index), 'the player of a transaction');
    }
  } else {
    const { playerId, amount } = JSON.parse(request.body ?? '');
    expectEqual(answer.playerId, playerId, 'the player');
    expectEqual(answer.amount, amount, 'the amount');
  }
}
