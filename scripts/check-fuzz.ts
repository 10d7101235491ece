import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { SCOPES } from '../server/src/key-terms.ts';
import { ACCESSES, type AccessKind, countOperations, documentFor } from './fuzz/documents.ts';
import { findKnownValues } from './fuzz/known-values.ts';
import { addUp, neverSucceeded, printExceptions, printFailures, printOutcome } from './fuzz/report.ts';
import {
  findSchemathesis,
  type Outcome,
  runSchemathesis,
  type SchemathesisRun,
} from './fuzz/schemathesis.ts';
import { type FuzzedService, KEY_LIFETIME_MS, startFuzzedService } from './fuzz/service.ts';
import { exceptionsText, settingsText } from './fuzz/settings.ts';

// npm run check:fuzz                          20,000 cases against the embedded store
// npm run check:fuzz -- --store postgres      against PostgreSQL
// npm run check:fuzz -- --cases 2000          fewer; below 10,000 without the phase "coverage", whose cases are fixed
// npm run check:fuzz -- --seed 7              other cases
// npm run check:fuzz -- --access key          only one of key, session and bot
// npm run check:fuzz -- --only /guild/ledger  only operations whose path fits this expression
//
// Exit status 3: Schemathesis is not installed, and nothing was checked.

const STATUS_MISSING = 3;
const VERSION = '4.32.5';
const COVERAGE_FROM_CASES = 10_000;
/** Phases have fewer cases than asked for where an operation has few different ones, so that some rounds are needed. */
const ROUNDS_MAX = 8;
const EXAMPLES_AT_FIRST = 20;

const { values: options } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '35' },
    access: { type: 'string' },
    only: { type: 'string' },
  },
});

const version = findSchemathesis();
if (version === undefined) {
  console.error(
    `NOT CHECKED: Schemathesis is missing. Install it: pip install schemathesis==${VERSION} (Python 3.10 or newer)`,
  );
  process.exitCode = STATUS_MISSING;
} else {
  const folder = mkdtempSync(path.join(tmpdir(), 'guildbook-fuzz-'));
  console.log(
    `Schemathesis ${version}, seed ${options.seed}, store ${options.store}, ${options.cases} cases`,
  );
  try {
    await check(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function check(folder: string): Promise<void> {
  const service = await startFuzzedService(folder, options.store === 'postgres' ? 'postgres' : 'sqlite');
  try {
    const accesses = ACCESSES.filter((access) => (options.access ?? access) === access);
    const outcomes: Outcome[] = [];
    const plans = await Promise.all(accesses.map((access) => plan(access, folder, service)));
    const operations = plans.reduce((sum, { count }) => sum + count, 0);
    for (const { access, count, run } of plans) {
      const outcome = await fuzz(run, count, Math.ceil((Number(options.cases) * count) / operations));
      printOutcome(access, outcome);
      outcomes.push(outcome);
    }
    conclude(addUp(outcomes), service);
  } finally {
    await service.stop();
  }
}

interface Plan {
  access: AccessKind;
  /** Operations of the document. */
  count: number;
  run: Omit<SchemathesisRun, 'name' | 'phases' | 'seed' | 'examplesMax'>;
}

async function plan(access: AccessKind, folder: string, service: FuzzedService): Promise<Plan> {
  const document = await documentFor(access, service.address);
  const documentFile = path.join(folder, `${access}.json`);
  const settingsFile = path.join(folder, `${access}.toml`);
  writeFileSync(documentFile, JSON.stringify(document));
  const known = await findKnownValues(service);
  writeFileSync(settingsFile, settingsText(known));
  const env = {
    FUZZ_ACCESS: access,
    FUZZ_ADDRESS: service.address,
    FUZZ_GUILD_ID: service.guildId,
    FUZZ_PEOPLE: service.people.join(','),
    FUZZ_SCOPES: SCOPES.join(','),
    FUZZ_EXPIRES_AT: new Date(Date.now() + KEY_LIFETIME_MS).toISOString(),
    FUZZ_BOT_TOKEN: service.botToken,
    FUZZ_RECEIVER: service.receiver,
    FUZZ_WEBHOOKS: known.webhookId?.join(',') ?? '',
    FUZZ_EXCEPTIONS: exceptionsText(),
  };
  const run = { folder, documentFile, settingsFile, address: service.address, only: options.only, env };
  return { access, count: countOperations(document), run };
}

/** All phases once, then more random cases until there are enough. */
async function fuzz(run: Plan['run'], operations: number, wanted: number): Promise<Outcome> {
  const seed = Number(options.seed);
  const coverage = Number(options.cases) >= COVERAGE_FROM_CASES ? ['coverage'] : [];
  const first = { phases: ['examples', ...coverage, 'stateful'], seed, examplesMax: EXAMPLES_AT_FIRST };
  const outcomes = [await runSchemathesis({ ...run, ...first, name: `${run.env.FUZZ_ACCESS}-0` })];
  for (let round = 1; round <= ROUNDS_MAX && addUp(outcomes).cases < wanted; round += 1) {
    const examplesMax = Math.ceil((wanted - addUp(outcomes).cases) / operations);
    const more = { phases: ['fuzzing'], seed: seed + round, examplesMax };
    outcomes.push(await runSchemathesis({ ...run, ...more, name: `${run.env.FUZZ_ACCESS}-${round}` }));
  }
  return addUp(outcomes);
}

function conclude(outcome: Outcome, { logFile }: FuzzedService): void {
  printOutcome('All', outcome);
  printExceptions(outcome);
  printFailures(outcome);
  const errors = readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /"level":(?:50|60)/.test(line));
  const faults = [
    ...(outcome.failures.length > 0 ? [`${outcome.failures.length} failures`] : []),
    ...(outcome.status !== 0 ? ['Schemathesis ended with an error'] : []),
    ...neverSucceeded(outcome).map((operation) => `no request succeeded: ${operation}`),
    ...errors.map((line) => `the service logged an error: ${line}`),
    ...(outcome.cases < Number(options.cases) && options.only === undefined
      ? ['there were fewer cases']
      : []),
  ];
  console.log(faults.length === 0 ? '\nNo failures.' : `\n${faults.join('\n')}`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
