import { PROGRAMS } from '../../scripts/requirements.ts';
import { SMALL } from '../support/ledger-file.ts';
import { BATCH_ITEMS, createLoads, type Loads } from '../support/loads.ts';
import { compare, compareWithBare } from '../support/measure.ts';
import { prepareLedger } from '../support/prepare.ts';
import { MEGABYTE } from '../support/processes.ts';
import { startService } from '../support/servers.ts';
import { type Bench, createStage, type Job, type Stage, secondsOf } from '../support/stage.ts';
import { type Served, serveLedger } from './served.ts';
import { waitJobs } from './waits.ts';

/** The loads by name, each with the share of the bare server's rate that it should reach. */
const LOAD_JOBS: {
  name: keyof Loads;
  title: string;
  reach?: number;
  isQuick?: boolean;
  needsLargeLedger?: boolean;
}[] = [
  { name: 'discharge', title: 'get a discharge', reach: 0.7, isQuick: true },
  { name: 'verification', title: 'get a verification by username', reach: 0.65, isQuick: true },
  { name: 'commands', title: 'list all commands', reach: 0.85, isQuick: true },
  { name: 'listHundred', title: 'list first page of 20, account of 100', reach: 0.45, isQuick: true },
  {
    name: 'listMany',
    title: 'list first page of 20, 30,000 players in turn, none in memory',
    reach: 0.25,
    needsLargeLedger: true,
  },
  {
    name: 'listTenThousand',
    title: 'list first page, account of 10,000',
    reach: 0.45,
    needsLargeLedger: true,
  },
  {
    name: 'listMillion',
    title: 'list first page, account of 1,000,000',
    reach: 0.45,
    needsLargeLedger: true,
  },
  {
    name: 'listDeepest',
    title: 'list deepest page, account of 1,000,000',
    reach: 0.45,
    needsLargeLedger: true,
  },
  {
    name: 'listByAmount',
    title: 'sorted by amount, account of 1,000,000',
    reach: 0.4,
    needsLargeLedger: true,
  },
  {
    name: 'listByQuantity',
    title: 'sorted by quantity, account of 1,000,000',
    reach: 0.4,
    needsLargeLedger: true,
  },
  { name: 'listByTotal', title: 'sorted by total, account of 1,000,000', reach: 0.4, needsLargeLedger: true },
  { name: 'listFiltered', title: 'filtered by source and amount, account of 100' },
  { name: 'postDistinct', title: 'post, distinct players', reach: 0.5, isQuick: true },
  { name: 'postOne', title: 'post, one player', reach: 0.5 },
  { name: 'postIdempotent', title: 'post with idempotency keys' },
  { name: 'account', title: 'balance of one player', reach: 0.6, isQuick: true },
  { name: 'accounts', title: 'leaderboard, first 20' },
  { name: 'history', title: "guild's history, newest 20", reach: 0.35, isQuick: true },
  { name: 'historyOfPlayer', title: 'history of one player, newest 20' },
  { name: 'transaction', title: 'one transaction by its id' },
  { name: 'feed', title: 'feed, 20 from the beginning' },
  { name: 'batch', title: 'batch of 100, requests', isQuick: true },
  { name: 'payment', title: 'payments between distinct players' },
  { name: 'reversal', title: 'posts and their reversals in turn' },
  { name: 'mixed', title: 'mixed load', reach: 0.5, isQuick: true },
];

/** The interface's jobs on the embedded store, and what must not depend on depth, size or others' work. */
export function createSqliteStage(bench: Bench): Stage {
  return createStage<Served>({
    name: 'sqlite',
    programs: [PROGRAMS.wrk],
    aboutSecondsToStart: bench.isQuick ? 2 : 8,
    start: () => serveLedger(bench),
    jobs: [
      ...loadJobs(bench),
      batchRowsJob(bench),
      depthJob(bench),
      ...SIZE_JOBS.map((plan) => sizeJob(bench, plan)),
      ...waitJobs(bench),
    ],
    async stop({ service, ledger }) {
      const { peakBytes } = service.memory();
      const value = peakBytes / MEGABYTE;
      bench.findings.addFigure({
        title: 'memory under load, at its highest',
        value,
        unit: 'MB',
        atMost: 160,
      });
      await service.stop();
      await ledger.remove();
    },
  });
}

function loadJobs(bench: Bench): Job<Served>[] {
  return LOAD_JOBS.map(({ reach, ...plan }) => ({
    ...plan,
    aboutSeconds: secondsOf(bench.pace),
    async run({ service, loads }) {
      const options = { ...bench, reach };
      bench.findings.addComparison(await compareWithBare(plan.title, loads[plan.name], service, options));
    },
  }));
}

function depthJob(bench: Bench): Job<Served> {
  const title = 'deepest pages / first pages, account of 1,000,000, none in memory';
  return {
    name: 'depth',
    title,
    aboutSeconds: secondsOf(bench.pace),
    needsLargeLedger: true,
    async run({ service, loads }) {
      const deepest = { name: 'deepest', load: loads.listLastPages, server: service };
      const first = { name: 'first', load: loads.listFirstPages, server: service };
      bench.findings.addComparison(await compare(title, [deepest, first], { ...bench, reach: 0.9 }));
    },
  };
}

/** Compares batches of a hundred with single posts, in rows per second. */
function batchRowsJob(bench: Bench): Job<Served> {
  const title = 'rows/s of single posts / of batches of 100';
  return {
    name: 'batchRows',
    title,
    isQuick: true,
    aboutSeconds: secondsOf(bench.pace),
    async run({ service, loads }) {
      const post = { name: 'post', load: loads.postDistinct, server: service };
      const batch = { name: 'batch', load: loads.batch, server: service };
      const { measured, limit, stolenPercent } = await compare(title, [post, batch], bench);
      bench.findings.addFigure({
        title,
        value: measured / (BATCH_ITEMS * limit),
        unit: '',
        atMost: 0.25,
        stolenPercent,
      });
    },
  };
}

/** Pages that must cost in a ledger of ten million what they cost in one of ten thousand. */
const SIZE_JOBS: { name: string; what: string; large: keyof Loads; small: keyof Loads }[] = [
  { name: 'size', what: 'first page', large: 'listHundred', small: 'listHundred' },
  {
    name: 'historySize',
    what: "pages of the guild's history",
    large: 'historyPagesOfLarge',
    small: 'historyPages',
  },
  { name: 'feedSize', what: 'pages of the feed', large: 'feedOfLarge', small: 'feed' },
];

function sizeJob(bench: Bench, plan: (typeof SIZE_JOBS)[number]): Job<Served> {
  const title = `${plan.what} in a ledger of 10,000,000 / of 10,000`;
  return {
    name: plan.name,
    title,
    aboutSeconds: secondsOf(bench.pace) + 2,
    needsLargeLedger: true,
    async run({ service, loads }) {
      const ledger = await prepareLedger('small', SMALL);
      const other = await startService({ databaseUrl: `sqlite:${ledger.file}` });
      const large = { name: 'large', load: loads[plan.large], server: service };
      const small = { name: 'small', load: createLoads(ledger.keys)[plan.small], server: other };
      bench.findings.addComparison(await compare(title, [large, small], { ...bench, reach: 0.9 }));
      await other.stop();
      await ledger.remove();
    },
  };
}
