import type { Requirement } from '../../scripts/requirements.ts';
import type { Findings } from './findings.ts';
import type { Pace } from './measure.ts';

/** The arguments of every job. */
export interface Bench {
  isQuick: boolean;
  pace: Pace;
  /** For files of the run, gone at its end. */
  folder: string;
  findings: Findings;
}

export interface JobPlan {
  /** As `--only` calls it. */
  name: string;
  title: string;
  aboutSeconds: number;
  isQuick?: boolean | undefined;
  /** Would say nothing on the small ledger of `--quick`. */
  needsLargeLedger?: boolean | undefined;
}

export interface Job<Shared> extends JobPlan {
  run: (shared: Shared) => Promise<void>;
}

/** Jobs that share something that is started for them, and stopped before the next stage begins. */
export interface Stage {
  /** As `--only` calls all of its jobs. */
  name: string;
  /** The programs that it needs. */
  programs: readonly Requirement[];
  aboutSecondsToStart: number;
  jobs: readonly JobPlan[];
  run: (options: {
    isChosen: (job: JobPlan) => boolean;
    onJob: (job: JobPlan) => void;
    onDone: (job: JobPlan) => void;
  }) => Promise<void>;
}

/** Makes a stage of its parts. The type that its jobs share stays hidden from its callers. */
export function createStage<Shared>(plan: {
  name: string;
  programs: readonly Requirement[];
  aboutSecondsToStart: number;
  start: () => Promise<Shared>;
  jobs: readonly Job<Shared>[];
  stop: (shared: Shared) => Promise<void>;
}): Stage {
  const { name, programs, aboutSecondsToStart, jobs } = plan;
  return {
    name,
    programs,
    aboutSecondsToStart,
    jobs,
    async run({ isChosen, onJob, onDone }) {
      const shared = await plan.start();
      for (const job of jobs.filter(isChosen)) {
        onJob(job);
        await job.run(shared).catch((error) => {
          throw new Error(`${job.name} failed`, { cause: error });
        });
        onDone(job);
      }
      await plan.stop(shared);
    },
  };
}

/** How long two candidates take at this pace, with a second for what comes between. */
export function secondsOf({ rounds, seconds, warmUpSeconds }: Pace): number {
  return 2 * (warmUpSeconds + rounds * seconds) + 1;
}
