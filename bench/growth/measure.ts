import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serveTree } from '../compare/tree.ts';
import { query } from '../jobs/postgres.ts';
import { KEYS } from '../support/ledger-file.ts';
import { transaction } from '../support/loads.ts';
import { median } from '../support/measure.ts';
import { runToEnd } from '../support/processes.ts';
import type { RunningServer } from '../support/servers.ts';
import { type Load, type LoadResult, runWrk, writeScript } from '../support/wrk.ts';
import { anyPlayer } from './rows.ts';

const READS = fileURLToPath(new URL('./reads.ts', import.meta.url));
const POSTS = 24_000;
/** Players whose accounts move all the time. */
const BUSY_PLAYERS = 1_000;
/** A server reports the counts of its tables with a delay of up to a second. */
const COUNTS_WAIT_MS = 1_500;

/** A checkout and the store that its code grew. */
export interface GrownTree {
  name: string;
  folder: string;
  program: string;
  databaseUrl: string;
  keys: readonly string[];
}

/** The figures of a store at one size. They change with its growth. */
export interface Figures {
  bytesPerTransaction: number;
  indexBytesPerTransaction: number;
  postsPerSecond: number;
  hotPercent: number;
  accountBytesPerPost: number;
  listByAmountMs: number;
  overviewMs: number;
  historyMs: number;
}

export interface MeasureOptions {
  home: string;
  rows: number;
  rounds: number;
  seconds: number;
}

/** Measures all stores, with posts in alternating rounds. */
export async function measureTrees(
  trees: readonly GrownTree[],
  options: MeasureOptions,
): Promise<Map<string, Figures>> {
  const sizes = new Map<string, Pick<Figures, 'bytesPerTransaction' | 'indexBytesPerTransaction'>>();
  for (const { name, databaseUrl } of trees) {
    sizes.set(name, await readSizes(databaseUrl));
    // An import leaves free space in the table of accounts, which would hide its growth; a copied one has none.
    await query(databaseUrl, 'VACUUM FULL account');
    // The server would do the rest by itself, in the middle of a round.
    await query(databaseUrl, 'VACUUM ANALYZE');
    await query(databaseUrl, 'CHECKPOINT');
  }
  const posts = await measurePosts(trees, options);
  const figures = new Map<string, Figures>();
  for (const { name, folder, databaseUrl } of trees) {
    const printed = await runToEnd(process.execPath, [READS, folder, databaseUrl, String(options.rows)]);
    const size = sizes.get(name) ?? { bytesPerTransaction: 0, indexBytesPerTransaction: 0 };
    figures.set(name, { ...size, ...posts(name), ...JSON.parse(printed) });
  }
  return figures;
}

async function readSizes(url: string) {
  const [row] = await query(
    url,
    `SELECT pg_total_relation_size('ledger_transaction') / count(*)::float8 AS bytes,
       pg_indexes_size('ledger_transaction') / count(*)::float8 AS index_bytes FROM ledger_transaction`,
  );
  return {
    bytesPerTransaction: Number(row?.bytes),
    indexBytesPerTransaction: Number(row?.index_bytes),
  };
}

type PostFigures = Pick<Figures, 'postsPerSecond' | 'hotPercent' | 'accountBytesPerPost'>;

interface Served {
  tree: GrownTree;
  service: RunningServer;
  keys: readonly string[];
}

/** Posts to players all over the ledger, and then to some of them only. Returns the figures of each tree. */
async function measurePosts(
  trees: readonly GrownTree[],
  options: MeasureOptions,
): Promise<(name: string) => PostFigures> {
  const served: Served[] = [];
  for (const tree of trees) {
    const keys = tree.keys.slice(0, KEYS);
    const service = await serveTree(tree.program, { databaseUrl: tree.databaseUrl, keys });
    served.push({ tree, service, keys });
  }
  const rates = await runRounds(served, options, (index) => anyPlayer(index, options.rows));
  const before = await readAccounts(trees);
  const busy = await runRounds(served, options, (index) => anyPlayer(index % BUSY_PLAYERS, options.rows));
  const after = await readAccounts(trees);
  for (const { service } of served) {
    await service.stop();
  }
  return (name) => {
    const [from, to] = [before.get(name) ?? NO_COUNTS, after.get(name) ?? NO_COUNTS];
    const posts = (busy.get(name) ?? []).reduce((sum, { requests }) => sum + requests, 0);
    // The first round warms up.
    const measured = (rates.get(name) ?? []).slice(1).map(({ requestsPerSecond }) => requestsPerSecond);
    return {
      postsPerSecond: median(measured),
      hotPercent: (100 * (to.hot - from.hot)) / (to.updates - from.updates),
      accountBytesPerPost: (to.bytes - from.bytes) / posts,
    };
  };
}

/** Runs a load of posts on all trees in alternating rounds. The results of each tree begin with the round that warms up. */
async function runRounds(
  served: readonly Served[],
  { home, rounds, seconds }: MeasureOptions,
  playerOf: (index: number) => string,
): Promise<Map<string, LoadResult[]>> {
  const results = new Map<string, LoadResult[]>(served.map(({ tree }) => [tree.name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { tree, service, keys } of round % 2 === 0 ? served : served.toReversed()) {
      const script = writeScript(home, tree.name.replaceAll(' ', '-'), postsOf(keys, playerOf));
      const result = await runWrk(script, service.address, { seconds });
      if (result.failures > 0) {
        throw new Error(`${result.failures} posts to ${tree.name} failed: ${result.failed}`);
      }
      results.get(tree.name)?.push(result);
    }
  }
  return results;
}

const NO_COUNTS = { updates: 0, hot: 0, bytes: 0 };

/** The updates of accounts so far, and the size of their table with its indexes. */
async function readAccounts(trees: readonly GrownTree[]): Promise<Map<string, typeof NO_COUNTS>> {
  await wait(COUNTS_WAIT_MS);
  const counts = new Map<string, typeof NO_COUNTS>();
  for (const { name, databaseUrl } of trees) {
    const [row] = await query(
      databaseUrl,
      `SELECT n_tup_upd AS updates, n_tup_hot_upd AS hot, pg_total_relation_size(relid) AS bytes
       FROM pg_stat_user_tables WHERE relname = 'account'`,
    );
    counts.set(name, {
      updates: Number(row?.updates),
      hot: Number(row?.hot),
      bytes: Number(row?.bytes),
    });
  }
  return counts;
}

function postsOf(keys: readonly string[], playerOf: (index: number) => string): Load {
  return {
    count: POSTS,
    request: (index) => ({
      path: '/guild/ledger',
      key: keys[index % keys.length],
      body: transaction(playerOf(index), index),
    }),
  };
}
