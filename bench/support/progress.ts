import type { JobPlan, Stage } from './stage.ts';

export interface Progress {
  /** A stage starts what its jobs share. */
  enter: (stage: Stage) => void;
  /** A job begins. */
  begin: (job: JobPlan) => void;
}

/** Says which job it is and how long the rest will take, by what each of them is said to take. */
export function createProgress(stages: readonly Stage[], chosen: ReadonlySet<JobPlan>): Progress {
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  let leftSeconds =
    sum(stages.map(({ aboutSecondsToStart }) => aboutSecondsToStart)) +
    sum([...chosen].map(({ aboutSeconds }) => aboutSeconds));
  let begun = 0;
  return {
    enter({ name, aboutSecondsToStart }) {
      console.log(`${name}: starting, ${inWords(leftSeconds)} left`);
      leftSeconds -= aboutSecondsToStart;
    },
    begin({ title, aboutSeconds }) {
      begun += 1;
      console.log(`job ${begun} of ${chosen.size}, ${inWords(leftSeconds)} left: ${title}`);
      leftSeconds -= aboutSeconds;
    },
  };
}

function inWords(seconds: number): string {
  return seconds >= 90 ? `about ${Math.round(seconds / 60)} minutes` : `about ${Math.round(seconds)} seconds`;
}
