import { parseArgs } from 'node:util';
import { requirePrograms } from '../scripts/requirements.ts';
import { createDashboardStage } from './jobs/dashboard.ts';
import { createDiskStage } from './jobs/disk.ts';
import { createGrowingStage, createPostgresStage } from './jobs/postgres.ts';
import { createSqliteStage } from './jobs/sqlite.ts';
import { createWebhookStage } from './jobs/webhooks.ts';
import { createFindings } from './support/findings.ts';
import { createFolder } from './support/processes.ts';
import { createProgress } from './support/progress.ts';
import { writeReport } from './support/report.ts';
import type { Bench, JobPlan, Stage } from './support/stage.ts';
import { runAndUndo } from './support/undo.ts';

// `npm run bench`: all jobs, one after the other. With --quick the main ones at a quicker pace on a small ledger; with
// --only those named. What is kept as a result comes from whole runs alone.

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, only: { type: 'string' } } });
const isQuick = options.quick === true;
const only = options.only?.split(',');

function createStages(bench: Bench): Stage[] {
  return [
    createSqliteStage(bench),
    createPostgresStage(bench, 1),
    createPostgresStage(bench, 2),
    createGrowingStage(bench),
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
  const findings = createFindings();
  const bench: Bench = {
    isQuick,
    pace: isQuick ? { rounds: 3, seconds: 1, warmUpSeconds: 1 } : { rounds: 5, seconds: 2, warmUpSeconds: 2 },
    folder: createFolder(),
    findings,
  };
  const all = createStages(bench);
  const chosen = chooseJobs(all);
  const stages = all.filter(({ jobs }) => jobs.some((job) => chosen.has(job)));
  requirePrograms('The benchmarks', [...new Set(stages.flatMap(({ programs }) => programs))]);
  const progress = createProgress(stages, chosen);
  for (const stage of stages) {
    progress.enter(stage);
    await stage.run({ isChosen: (job) => chosen.has(job), onJob: progress.begin });
  }
  if (!isQuick && only === undefined) {
    writeReport(findings);
  }
}

await runAndUndo(main);
