import { parseArgs } from 'node:util';
import { requirePrograms } from '../scripts/requirements.ts';
import { createDashboardStage } from './jobs/dashboard.ts';
import { createDiskStage } from './jobs/disk.ts';
import { createKeyChangesStage } from './jobs/key-changes.ts';
import { createGrowingStage, createPostgresStage } from './jobs/postgres.ts';
import { createSqliteStage } from './jobs/sqlite.ts';
import { createWebhookStage } from './jobs/webhooks.ts';
import { createWorkersStage } from './jobs/workers.ts';
import { createFindings, createKeeper, readKept } from './support/findings.ts';
import { createFolder } from './support/processes.ts';
import { createProgress } from './support/progress.ts';
import { writeReport } from './support/report.ts';
import type { Bench, JobPlan, Stage } from './support/stage.ts';
import { runAndUndo } from './support/undo.ts';

// `npm run bench`: all jobs, one after the other. With --quick the main ones at a quicker pace on a small ledger; with
// --only those named. Only whole runs write results. After a whole run that was cut off, --resume runs the missing jobs and
// writes the results of both.

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, only: { type: 'string' }, resume: { type: 'boolean' } },
});
const isQuick = options.quick === true;
const only = options.only?.split(',');
const isWhole = !isQuick && only === undefined;

function createStages(bench: Bench): Stage[] {
  return [
    createSqliteStage(bench),
    createPostgresStage(bench, 1),
    createPostgresStage(bench, 2),
    createWorkersStage(bench),
    createGrowingStage(bench),
    createKeyChangesStage(bench),
    createDiskStage(bench),
    createDashboardStage(bench),
    createWebhookStage(bench),
  ];
}

/** Without names the quick jobs or all; a name is that of a job or of a stage. */
function chooseJobs(stages: readonly Stage[]): Set<JobPlan> {
  const all = stages.flatMap((stage) => stage.jobs.map((job) => ({ job, names: [job.name, stage.name] })));
  const known = new Set(all.flatMap(({ names }) => names));
  const unknown = only?.filter((name) => !known.has(name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(`There is no job ${unknown.join(', ')}. Jobs and groups: ${[...known].join(', ')}`);
  }
  const isChosen = ({ job, names }: { job: JobPlan; names: string[] }) => {
    if (isQuick && job.needsLargeLedger === true) return false;
    return only === undefined ? !isQuick || job.isQuick === true : only.some((name) => names.includes(name));
  };
  const chosen = all.filter(isChosen).map(({ job }) => job);
  if (chosen.length === 0) {
    throw new Error('These jobs need the large ledger: leave --quick out.');
  }
  return new Set(chosen);
}

async function main(): Promise<void> {
  if (options.resume && !isWhole) {
    throw new Error('--resume goes on with a whole run: leave --quick and --only out.');
  }
  const earlier = options.resume ? readKept() : undefined;
  if (options.resume) {
    console.log(
      earlier === undefined
        ? 'there is nothing to go on with'
        : `${earlier.done.length} jobs are done since ${earlier.startedAt}`,
    );
  }
  const findings = createFindings(earlier);
  const keeper = createKeeper(findings, earlier);
  const bench: Bench = {
    isQuick,
    pace: isQuick ? { rounds: 3, seconds: 1, warmUpSeconds: 1 } : { rounds: 5, seconds: 2, warmUpSeconds: 2 },
    folder: createFolder(),
    findings,
  };
  const all = createStages(bench);
  const isDone = ({ name }: JobPlan) => earlier?.done.includes(name) === true;
  const chosen = new Set([...chooseJobs(all)].filter((job) => !isDone(job)));
  const stages = all.filter(({ jobs }) => jobs.some((job) => chosen.has(job)));
  requirePrograms('The benchmarks', [...new Set(stages.flatMap(({ programs }) => programs))]);
  const progress = createProgress(stages, chosen);
  for (const stage of stages) {
    progress.enter(stage);
    await stage.run({
      isChosen: (job) => chosen.has(job),
      onJob: progress.begin,
      onDone: ({ name }) => isWhole && keeper.keepDone(name),
    });
    if (isWhole) {
      keeper.keep();
    }
  }
  if (isWhole) {
    writeReport(findings);
    keeper.forget();
  }
}

await runAndUndo(main);
