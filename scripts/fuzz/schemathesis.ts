import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { programEnvironment } from '../run.ts';

const PROGRAM = 'schemathesis';
const REQUEST_SECONDS_MAX = 60;

export interface SchemathesisRun {
  folder: string;
  /** Names the files of the run. */
  name: string;
  documentFile: string;
  settingsFile: string;
  address: string;
  phases: readonly string[];
  seed: number;
  /** Cases per operation of the phases whose number of cases is not fixed. */
  examplesMax: number;
  /** Only operations whose path fits this expression. */
  only: string | undefined;
  env: Record<string, string>;
}

export interface Outcome {
  status: number;
  cases: number;
  /** How often each check ran, and how often it failed. */
  checks: Record<string, { count: number; failed: number }>;
  /** How often each operation was answered with each status. */
  statuses: Record<string, Record<string, number>>;
  /** How often each exception was met, by its reason. */
  exceptions: Record<string, number>;
  failures: readonly Failure[];
}

export interface Failure {
  failure: string;
  operation: string;
  request: string;
  body: string;
  status: number;
  message: string;
  detail: string;
}

/** The version of Schemathesis, or undefined when it cannot be run. */
export function findSchemathesis(): string | undefined {
  const { status, stdout } = spawnSync(PROGRAM, ['--version'], {
    env: programEnvironment(),
    encoding: 'utf8',
  });
  return status === 0 ? /[\d.]+/.exec(stdout)?.[0] : undefined;
}

/** Runs Schemathesis once and shows what it prints. */
export async function runSchemathesis(run: SchemathesisRun): Promise<Outcome> {
  const report = path.join(run.folder, `${run.name}.ndjson`);
  const tally = path.join(run.folder, `${run.name}.tally.json`);
  const child = spawn(PROGRAM, argumentsOf(run, report), {
    cwd: run.folder,
    env: {
      ...programEnvironment(),
      ...run.env,
      PYTHONPATH: import.meta.dirname,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'fuzz_hooks',
      FUZZ_TALLY: tally,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [status] = await once(child, 'exit');
  const counted = await readReport(report);
  rmSync(report);
  return { status: status ?? 1, ...counted, ...JSON.parse(readFileSync(tally, 'utf8')) };
}

function argumentsOf(run: SchemathesisRun, report: string): string[] {
  return [
    ...['--config-file', run.settingsFile, '--no-color', 'run', run.documentFile, '--url', run.address],
    ...['--checks', 'all', '--phases', run.phases.join(','), '--seed', String(run.seed)],
    // A failure does not end the cases of its operation, and is shown as it was found.
    ...['--max-examples', String(run.examplesMax), '--continue-on-failure', '--no-shrink'],
    ...['--generation-database', 'none', '--suppress-health-check', 'all'],
    ...['--request-timeout', String(REQUEST_SECONDS_MAX), '--output-sanitize', 'false', '--warnings', 'off'],
    ...['--report', 'ndjson', '--report-ndjson-path', report],
    ...(run.only === undefined ? [] : ['--include-path-regex', run.only]),
  ];
}

interface Scenario {
  recorder?: { cases?: object; checks?: Record<string, { name: string; status: string }[]> };
}

/** Counts cases and checks. The file has a line for each operation and phase, with all requests. */
async function readReport(file: string): Promise<Pick<Outcome, 'cases' | 'checks'>> {
  const checks: Outcome['checks'] = {};
  let cases = 0;
  for await (const line of createInterface(createReadStream(file))) {
    const { ScenarioFinished: scenario }: { ScenarioFinished?: Scenario } = JSON.parse(line);
    cases += Object.keys(scenario?.recorder?.cases ?? {}).length;
    for (const { name, status } of Object.values(scenario?.recorder?.checks ?? {}).flat()) {
      const { count, failed } = checks[name] ?? { count: 0, failed: 0 };
      checks[name] = { count: count + 1, failed: failed + (status === 'failure' ? 1 : 0) };
    }
  }
  return { cases, checks };
}
