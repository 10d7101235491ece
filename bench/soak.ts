import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countRows } from '../server/test/support/read-store.ts';
import { drawSoak } from './soak/chart.ts';
import { sendImport } from './soak/import.ts';
import { judge, type Sample, type Verdict } from './soak/samples.ts';
import { signIn, startPlatform, startVisitor, takeExport, type Visitor } from './soak/visitor.ts';
import { createLedgerFile, SMALL } from './support/ledger-file.ts';
import { createLoads } from './support/loads.ts';
import { createFolder, MEGABYTE, runGuildbook } from './support/processes.ts';
import { createStolenMeter, STOLEN_PERCENT_MAX } from './support/quiet.ts';
import { type RunningServer, startService } from './support/servers.ts';
import { type Latencies, runSteadyLoad } from './support/steady-load.ts';
import { runAndUndo } from './support/undo.ts';

// `npm run soak` keeps the service busy for two hours, as a guild's bots, a person in the dashboard and an operator would:
// the mixed load at a steady rate, alone for the first twelfth, then with pages of the dashboard, exports, imports and restarts.
// Memory, write-ahead log, open files and waits must be flat, and at the end every acknowledged post must be there.
// `--minutes 10` does the same in ten minutes.

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    'per-second': { type: 'string', default: '1000' },
  },
});
const MINUTES = Number(options.minutes);
const PER_SECOND = Number(options['per-second']);
const SLICE_SECONDS = 10;
const KEYS_USED = 6_000;
const ALONE_MINUTES = MINUTES / 12;
/** How often each happens in the whole of a run, however long it is. */
const [EXPORTS, IMPORTS, RESTARTS] = [60, 24, 7];
const BOT_TOKEN = 'a-token-of-the-soak-test-with-32-characters';
const SECRET_KEY = 'a-secret-of-the-soak-test-of-32-characters';
const RESULTS = fileURLToPath(new URL('./results', import.meta.url));

/** Something that is done now and then, beside the load. */
interface Chore {
  everyMinutes: number;
  nextMinute: number;
  underWay: Promise<void> | undefined;
  run: () => Promise<void>;
}

interface Totals {
  requests: number;
  failures: number;
  posts: number;
  imports: number;
  imported: number;
  exports: number;
  visits: number;
}

async function run(): Promise<void> {
  if (!(MINUTES >= 1) || !(PER_SECOND >= 1)) {
    throw new Error('--minutes and --per-second are numbers of at least 1');
  }
  const file = path.join(createFolder(), 'guildbook.db');
  const databaseUrl = `sqlite:${file}`;
  const { mixed } = createLoads(createLedgerFile(file, SMALL), KEYS_USED);
  const platform = await startPlatform();
  const env = { ...platform.environment, SECRET_KEY, BOT_TOKEN };
  const start = () => startService({ databaseUrl, env });
  const totals: Totals = {
    requests: 0,
    failures: 0,
    posts: 0,
    imports: 0,
    imported: 0,
    exports: 0,
    visits: 0,
  };
  const troubles: string[] = [];
  const samples: Sample[] = [];
  const restarts: number[] = [];
  const startMs = performance.now();
  const stolenSince = createStolenMeter();
  const minute = () => (performance.now() - startMs) / 60_000;

  let service: RunningServer = await start();
  let cookie = '';
  let visitor: Visitor | undefined;
  const chores = [
    createChore(EXPORTS, async () => {
      totals.exports += (await takeExport(service.address, cookie)) > SMALL.rows ? 1 : 0;
    }),
    createChore(IMPORTS, async () => {
      totals.imports += 1;
      totals.imported += await sendImport(service.address, BOT_TOKEN, totals.imports);
    }),
  ];
  let nextRestart = MINUTES / (RESTARTS + 1);

  async function rest(): Promise<void> {
    await Promise.all(chores.map(({ underWay }) => underWay));
    await visitor?.stop();
    totals.visits += visitor?.visits ?? 0;
    troubles.push(...(visitor?.takeFailures() ?? []));
    visitor = undefined;
    await service.stop();
  }

  while (minute() < MINUTES) {
    if (minute() >= nextRestart) {
      await rest();
      restarts.push(minute());
      nextRestart += MINUTES / (RESTARTS + 1);
      service = await start();
    }
    if (minute() >= ALONE_MINUTES && visitor === undefined) {
      cookie ||= await signIn(service.address);
      visitor = startVisitor(service.address, cookie);
    }
    beginChores(chores, minute(), troubles);
    const waits = await runSteadyLoad(mixed, service.address, {
      perSecond: PER_SECOND,
      seconds: SLICE_SECONDS,
    });
    totals.requests += waits.requests;
    totals.failures += waits.failures;
    totals.posts += waits.posts;
    const sample = {
      minute: minute(),
      memoryMegabytes: service.memory().nowBytes / MEGABYTE,
      walMegabytes: (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE,
      openFiles: service.openFiles(),
      p50Ms: waits.p50Ms,
      p99Ms: waits.p99Ms,
      stolenPercent: stolenSince(),
    };
    samples.push(sample);
    progress(sample);
    const failed = [...refusalsOf(waits), ...(visitor?.takeFailures() ?? [])];
    troubles.push(...failed.map((one) => `${one} (${momentOf(sample)})`));
  }
  await rest();
  const rows = countRows(file, 'ledger_transaction');
  const expected = SMALL.rows + totals.posts + totals.imported;
  if (rows !== expected) {
    troubles.push(`the ledger has ${rows} transactions, and ${expected} were acknowledged`);
  }
  await runGuildbook(['verify'], { DATABASE_URL: databaseUrl });
  report({ samples, restarts, totals, troubles });
}

function refusalsOf({ statuses }: Latencies): string[] {
  return [...statuses].map(([status, count]) => `${count} requests of the load: ${status}`);
}

/** When a slice was, and how much of the processor it had: a service without a processor has to refuse some requests. */
function momentOf({ minute, stolenPercent }: Sample): string {
  return `minute ${minute.toFixed(1)}, ${stolenPercent.toFixed(0)} % taken by the host`;
}

function createChore(times: number, work: () => Promise<void>): Chore {
  const everyMinutes = (MINUTES - ALONE_MINUTES) / times;
  return { everyMinutes, nextMinute: ALONE_MINUTES + everyMinutes / 2, underWay: undefined, run: work };
}

/** Begins what is due. One that is still under way is not begun again. */
function beginChores(chores: readonly Chore[], minute: number, troubles: string[]): void {
  for (const chore of chores) {
    if (minute >= chore.nextMinute && chore.underWay === undefined) {
      chore.nextMinute = minute + chore.everyMinutes;
      chore.underWay = chore
        .run()
        .catch((error) => {
          console.error(String(error));
          troubles.push(String(error));
        })
        .finally(() => {
          chore.underWay = undefined;
        });
    }
  }
}

function progress(sample: Sample): void {
  const { minute, memoryMegabytes, walMegabytes, openFiles, p99Ms, stolenPercent } = sample;
  const figures = [
    `${minute.toFixed(1)} of ${MINUTES} min`,
    `memory ${memoryMegabytes.toFixed(0)} MB`,
    `WAL ${walMegabytes.toFixed(1)} MB`,
    `${openFiles} files`,
    `p99 ${p99Ms.toFixed(1)} ms`,
    `${stolenPercent.toFixed(0)} % taken by the host`,
  ];
  console.error(figures.join(', '));
}

interface Outcome {
  samples: readonly Sample[];
  restarts: readonly number[];
  totals: Totals;
  troubles: readonly string[];
}

/** Only a whole run replaces the results: a short one says little about hours. */
function report({ samples, restarts, totals, troubles }: Outcome): void {
  const verdicts = judge(samples, { aloneMinutes: ALONE_MINUTES });
  const lines = [
    `# ${MINUTES} minutes at ${PER_SECOND.toLocaleString('en')} requests a second`,
    '',
    `On ${availableParallelism()} cores, Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. ${totals.requests.toLocaleString('en')} requests, ${totals.failures} failed; ${totals.posts.toLocaleString('en')} posts, all found in the ledger at the end unless said below; ${totals.exports} exports, ${totals.imported.toLocaleString('en')} transactions in ${totals.imports} imports, ${totals.visits} pages of the dashboard, ${restarts.length} restarts.`,
    '',
    `The load was alone for ${ALONE_MINUTES.toFixed(1)} minutes: the first column is the end of them. The two thirds are of the time after. Waits are compared where the host left at least ${100 - STOLEN_PERCENT_MAX} % of the processor to this machine.`,
    '',
    '| | alone | first third | last third | flat | highest | at most |',
    '|---|---|---|---|---|---|---|',
    ...verdicts.map(toRow),
    ...(troubles.length === 0 ? [] : ['', 'Troubles:', '', ...troubles.map((one) => `- ${one}`)]),
  ];
  const isWhole = MINUTES >= 120;
  const folder = isWhole ? RESULTS : path.join(RESULTS, '..', 'data');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'soak.svg'), drawSoak(samples, { restarts, aloneMinutes: ALONE_MINUTES }));
  writeFileSync(
    path.join(folder, 'soak.md'),
    `${lines.join('\n')}\n\n![Memory, log, files and waits](soak.svg)\n`,
  );
  console.log(lines.join('\n'));
  console.log(`\nThe chart is ${path.relative(process.cwd(), path.join(folder, 'soak.svg'))}.`);
  if (
    totals.failures > 0 ||
    troubles.length > 0 ||
    verdicts.some(({ isFlat, isWithin }) => !isFlat || !isWithin)
  ) {
    process.exitCode = 1;
  }
}

function toRow({ series, alone, first, last, highest, isFlat, isWithin }: Verdict): string {
  const { title, unit, atMost, atMostAlone, growth } = series;
  const aloneBound = alone === undefined || atMostAlone === undefined ? undefined : `${atMostAlone} alone`;
  const bound = aloneBound ?? atMost;
  const notFlat = first === undefined || last === undefined ? '**not seen**' : '**no**';
  return `| ${[
    unit === '' ? title : `${title}, ${unit}`,
    ...[alone, first, last].map((value) => value?.toFixed(1) ?? ''),
    growth === undefined ? '' : isFlat ? 'yes' : notFlat,
    highest.toFixed(1),
    bound === undefined ? '' : `${bound}: ${isWithin ? 'yes' : '**no**'}`,
  ].join(' | ')} |`;
}

await runAndUndo(run);
