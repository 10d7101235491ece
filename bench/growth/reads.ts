import path from 'node:path';
import type * as Overview from '../../server/src/domain/ledger/overview.ts';
import type { Store } from '../../server/src/domain/ports.ts';
import type * as Opening from '../../server/src/store/postgres/open.ts';
import { GUILD_ID } from '../support/ledger-file.ts';
import { median } from '../support/measure.ts';
import { anyPlayer, lastTimeMs } from './rows.ts';

// Measures reads on a store by the code of the checkout named first, at the address named second, with this number of
// imported rows. Prints the medians in milliseconds. Each read asks for something that was not asked for before.

const [folder = '', url = '', rowsText = ''] = process.argv.slice(2);
const ROWS = Number(rowsText);
const READS = { lists: 300, overviews: 15, histories: 40 };
const WARM_UP = 5;

const modulesOf = async <Module>(file: string): Promise<Module> => import(path.resolve(folder, file));
const { openPostgresStore } = await modulesOf<typeof Opening>('server/src/store/postgres/open.ts');
const { lookOver } = await modulesOf<typeof Overview>('server/src/domain/ledger/overview.ts');

async function timeOf(reads: number, read: (index: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + reads; index += 1) {
    const startMs = performance.now();
    await read(index);
    times.push(performance.now() - startMs);
  }
  return median(times.slice(WARM_UP));
}

async function measure(store: Store): Promise<Record<string, number>> {
  const guild = await store.guilds.find(GUILD_ID);
  if (guild === undefined) {
    throw new Error('the guild of the ledger is not there');
  }
  const clock = { nowMs: () => lastTimeMs(ROWS), monotonicMs: () => performance.now() };
  const filter = { source: undefined, minUnits: undefined, maxUnits: undefined };
  const page = { page: 1, limit: 20, sortBy: 'amount', sortOrder: 'desc' } as const;
  const nothing = { playerId: undefined, sinceMs: undefined, untilMs: undefined, reference: undefined };
  const newest = { ...filter, ...nothing, namePrefix: undefined, limit: 20, before: undefined };
  return {
    listByAmountMs: await timeOf(READS.lists, (index) =>
      store.ledger.list(guild, anyPlayer(index * 7 + 1, ROWS), { ...filter, ...page }),
    ),
    overviewMs: await timeOf(READS.overviews, () =>
      lookOver({ ...store, views: store.ledgerViews, clock }, guild, {}),
    ),
    historyMs: await timeOf(READS.histories, (index) =>
      store.entries.history(guild, { ...newest, source: `absent-${index}` }),
    ),
  };
}

const store = await openPostgresStore({
  url,
  clock: { monotonicMs: () => performance.now() },
  schema: 'expect',
});
try {
  console.log(JSON.stringify(await measure(store)));
} finally {
  await store.close();
}
