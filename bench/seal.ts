import { pino } from 'pino';
import { openSealKeys, startSealing } from '../server/src/compose/seal.ts';
import { createOperatorKeyring } from '../server/src/compose/secret-key.ts';
import { openStore } from '../server/src/compose/stores.ts';
import { systemClock, systemIds } from '../server/src/compose.ts';
import { readConfig } from '../server/src/config.ts';
import type { Guild } from '../server/src/domain/model.ts';
import type { Store } from '../server/src/domain/ports.ts';
import type { SealKeys } from '../server/src/domain/seal/seal-keys.ts';
import { receiptCost, writeLargeLog } from './seal/large-log.ts';
import { runPosts, untilSealed } from './seal/load.ts';
import { createPlace, ENGINES, type Engine, fillSql, type Place } from './seal/place.ts';
import { startSealedServices } from './seal/service-load.ts';
import { estimateMedianOfRuns, median } from './support/measure.ts';
import type { TurnsResult } from './support/turns.ts';
import { runAndUndo, undoAfter } from './support/undo.ts';

/**
 * The cost of sealed ledgers on one store, as a table with targets: posts and a mixed load with and without the sealer in turns, the rate of
 * sealing alone and under posts, processor time of a receipt in a log of ten million leaves, and bytes for each transaction.
 *
 *   node scripts/launch.js bench/seal.ts sqlite
 *   node scripts/launch.js bench/seal.ts postgres
 *   node scripts/launch.js bench/seal.ts sqlite posts      the loads over HTTP alone
 *
 * BENCH_SCALE=0.05 makes everything smaller, to try the program itself.
 */
const [engine] = ENGINES.filter((name) => name === process.argv[2]);
const SCALE = Number(process.env.BENCH_SCALE ?? 1);
/** Two services of the same code differ by some per cent as long as they run, so several pairs of them are started. */
const PAIRS = Math.max(2, Math.round(8 * SCALE));
const GROUPS = 5;
const LAG_SECONDS = Math.max(2, Math.round(10 * SCALE));
const OLD_ROWS = Math.round(1_000_000 * SCALE);
/** Sealed while posts go on. */
const BUSY_ROWS = Math.round(400_000 * SCALE);
const LARGE_LEAVES = Math.round(10_000_000 * SCALE);
const SPACING = 5_000;
const RECEIPTS = 2_000;
const ACTOR = { kind: 'operator', id: 'bench' } as const;
const ENVIRONMENT = { clock: systemClock, ids: systemIds, logger: pino({ level: 'warn' }) };

interface Bench {
  engine: Engine;
  place: Place;
  store: Store;
  keys: SealKeys;
  found(guildId: string): Promise<Guild>;
}

interface Row {
  what: string;
  target: string;
  found: string;
}

async function openBench(chosen: Engine): Promise<Bench> {
  const place = await createPlace(chosen);
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
  const keyring = createOperatorKeyring(config, systemIds);
  return {
    engine: chosen,
    place,
    store,
    keys: openSealKeys(config, ENVIRONMENT, { store, keyring }),
    found: (guildId) =>
      store.guilds.set(
        { guildId, name: guildId, plan: 'none', defaultPlan: 'none' },
        { actor: ACTOR, atMs: 0 },
      ),
  };
}

const LOADS = ['posts', 'mixed'] as const;

/** The results of one load on all pairs. */
interface Compared {
  pairs: TurnsResult[];
  worstLagMs: number;
}

/** Rates over HTTP with and without the sealer, in turns. */
async function compareLoads(chosen: Engine): Promise<Row[]> {
  const found = new Map(LOADS.map((load) => [load, { pairs: [] as TurnsResult[], worstLagMs: 0 }]));
  for (let pair = 0; pair < PAIRS; pair += 1) {
    await undoAfter(async () => {
      const services = await startSealedServices(chosen, pair % 2 === 1);
      for (const [load, compared] of found) {
        compared.pairs.push(await services.compare(load, GROUPS));
        if (pair === 0) {
          compared.worstLagMs = await services.worstLagMs(load, LAG_SECONDS);
        }
      }
    });
  }
  return [...found].flatMap(([load, compared]) => toRows(load, compared));
}

function toRows(load: string, { pairs, worstLagMs }: Compared): Row[] {
  const ratio = estimateMedianOfRuns(pairs.map(({ ratios }) => ratios));
  const spread = `${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)}`;
  const rate = (side: 'changed' | 'plain') =>
    Math.round(median(pairs.map((pair) => pair[side].requestsPerSecond)));
  const cpu = (side: 'changed' | 'plain') =>
    median(pairs.map((pair) => pair[side].cpuMicroseconds)).toFixed(1);
  return [
    {
      what: `${load}: rate with sealing by the rate without, median of ${PAIRS} pairs of services and ${GROUPS} groups of four seconds each`,
      target: 'at least 0.97',
      found:
        `${ratio.middle.toFixed(3)} (${spread}); ${rate('changed')}/s and ${rate('plain')}/s; ` +
        `${cpu('changed')} and ${cpu('plain')} µs of processor`,
    },
    { what: `${load}: behind the last post`, target: 'at most 5 s', found: seconds(worstLagMs) },
  ];
}

const seconds = (durationMs: number) => `${(durationMs / 1_000).toFixed(1)} s`;
const perSecond = (count: number, durationMs: number) =>
  `${Math.round((count * 1_000) / durationMs).toLocaleString('en')} rows/s`;

async function fill(
  { place, engine: chosen }: Bench,
  guild: Guild,
  rows: number,
  spacing = 1,
): Promise<void> {
  for (const sql of fillSql(chosen, { guildNo: guild.guildNo, rows, spacing })) {
    await place.execute(sql);
  }
}

/** Seals ledgers from before, alone and then under posts to another guild. */
async function catchUp(bench: Bench, busy: Guild): Promise<Row[]> {
  const { store, keys } = bench;
  const [old, waiting] = [await bench.found('old'), await bench.found('waiting')];
  const timeOf = async (guild: Guild) => {
    const beganMs = performance.now();
    const sealing = startSealing(ENVIRONMENT, { store, keys });
    await untilSealed(store, guild);
    const durationMs = performance.now() - beganMs;
    await sealing.stop();
    return durationMs;
  };
  await fill(bench, old, OLD_ROWS);
  const aloneMs = await timeOf(old);
  await fill(bench, waiting, BUSY_ROWS);
  let isOver = false;
  const rates: number[] = [];
  const posting = (async () => {
    while (!isOver) {
      rates.push(await runPosts(store, busy, 1_000));
    }
  })();
  const busyMs = await timeOf(waiting);
  isOver = true;
  await posting;
  return [
    {
      what: `${OLD_ROWS.toLocaleString('en')} old rows are sealed in`,
      target: 'a minute for a million',
      found: `${seconds(aloneMs)}, ${perSecond(OLD_ROWS, aloneMs)}`,
    },
    {
      what: 'rate of sealing under posts',
      target: bench.engine === 'sqlite' ? 'at least 20,000 rows/s' : 'none',
      found: `${perSecond(BUSY_ROWS, busyMs)} beside ${Math.round(median(rates))} posts/s`,
    },
  ];
}

async function receipts(bench: Bench): Promise<Row[]> {
  const { store, keys, place } = bench;
  const guild = await bench.found('large');
  await fill(bench, guild, LARGE_LEAVES / SPACING, SPACING);
  await writeLargeLog(store, keys, { guild, size: LARGE_LEAVES, spacing: SPACING });
  const cost = await receiptCost(store, keys, { guild, count: RECEIPTS, cpuMs: place.cpuMs });
  return [
    {
      what: `processor time of a receipt, ${LARGE_LEAVES.toLocaleString('en')} leaves`,
      target: 'at most 2 ms',
      found: `${cost.hereMs.toFixed(2)} ms, and ${cost.databaseMs.toFixed(2)} ms in a database of its own`,
    },
  ];
}

async function bytes({ store, place }: Bench, guilds: readonly Guild[]): Promise<Row[]> {
  let leaves = 0;
  for (const guild of guilds) {
    leaves += (await store.seals.state(guild)).log?.size ?? 0;
  }
  const size = await place.sealBytes();
  return [{ what: 'bytes for each transaction', target: 'at most 45', found: (size / leaves).toFixed(1) }];
}

async function run(chosen: Engine): Promise<void> {
  const beganMs = performance.now();
  const ratios = await compareLoads(chosen);
  if (process.argv[3] === 'posts') {
    return print(chosen, ratios, beganMs);
  }
  const bench = await openBench(chosen);
  const busy = await bench.found('busy');
  const rows = [
    ...ratios,
    ...(await catchUp(bench, busy)),
    ...(await bytes(bench, [busy, await bench.found('old'), await bench.found('waiting')])),
    ...(await receipts(bench)),
  ];
  await bench.store.close();
  print(chosen, rows, beganMs);
}

function print(chosen: Engine, rows: readonly Row[], beganMs: number): void {
  const lines = rows.map(({ what, target, found }) => `| ${what} | ${target} | ${found} |`);
  console.log([`| ${chosen} | target | found |`, '|---|---|---|', ...lines].join('\n'));
  console.log(`in ${seconds(performance.now() - beganMs)}`);
}

if (engine === undefined) {
  throw new Error(`name a store: ${ENGINES.join(' or ')}`);
}
await runAndUndo(() => run(engine));
