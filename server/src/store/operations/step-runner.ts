import { setTimeout as pause } from 'node:timers/promises';
import type { BackgroundEvent } from './migrate.ts';
import type { MigrationStep, SchemaStep } from './migration-steps.ts';
import type { BackgroundStep, BatchInput, BatchResult, RecordedStep } from './schema-steps.ts';

/**
 * How fast backfills run. The pause after a batch is `pauseRatio` times the duration of the batch. On a busy store a batch takes
 * longer, so it gets fewer rows and a longer pause.
 */
export interface Pace {
  pauseRatio: number;
}

export const WHILE_SERVING: Pace = { pauseRatio: 1.5 };
export const OF_A_COMMAND: Pace = { pauseRatio: 0.5 };

/** A batch locks its rows until its commit, so it is kept short. */
const BATCH_TARGET_MS = 20;
const ROWS_AT_FIRST = 500;
/** Fewer would make the round trips of a batch cost more than its rows. */
const ROWS_MIN = 500;
const ROWS_MAX = 5_000;
/** The first requests of a new process are slow enough without a backfill beside them. */
const START_AFTER_MS = 5_000;
/** The pause after a failure. It doubles with each failure in a row, up to the maximum. */
const TRY_AGAIN_MS_MIN = 5_000;
const TRY_AGAIN_MS_MAX = 300_000;

/** Operations of a store that background steps need. */
export interface StepPlace {
  list(): Promise<RecordedStep[]>;
  runBatch(input: BatchInput): Promise<BatchResult>;
  /** Runs the statements of a step, or says that this engine runs them at the next start. */
  runStatements(
    step: BackgroundStep & { step: SchemaStep },
    recorded: RecordedStep,
  ): Promise<'done' | 'later'>;
}

export interface StepRunOptions {
  pace: Pace;
  onEvent: (event: BackgroundEvent) => void;
  stop: AbortSignal;
}

/**
 * Runs the unfinished steps that this program knows, in their order, until none is left. Rejects when `stop` is aborted; the position of
 * a backfill is in the store, and another run continues there.
 */
export async function runSteps(
  place: StepPlace,
  known: readonly BackgroundStep[],
  options: StepRunOptions,
): Promise<void> {
  for (;;) {
    options.stop.throwIfAborted();
    const next = nextStep(known, await place.list());
    if (next === undefined) {
      return;
    }
    const startedMs = performance.now();
    if ((await runStep(place, next, options)) === 'later') {
      return;
    }
    const durationMs = Math.round(performance.now() - startedMs);
    options.onEvent({ kind: 'completed', step: next.name, durationMs });
  }
}

type UnfinishedStep = BackgroundStep & { recorded: RecordedStep };

export function nextStep(
  known: readonly BackgroundStep[],
  recorded: readonly RecordedStep[],
): UnfinishedStep | undefined {
  for (const one of recorded) {
    const ours = known.find(({ version, stepNo }) => version === one.version && stepNo === one.stepNo);
    if (ours !== undefined) {
      return { ...ours, recorded: one };
    }
  }
  return undefined;
}

async function runStep(
  place: StepPlace,
  unfinished: UnfinishedStep,
  options: StepRunOptions,
): Promise<'done' | 'later'> {
  const { step, recorded } = unfinished;
  if (isBackfill(step)) {
    await backfill(place, { ...unfinished, step }, options);
    return 'done';
  }
  return place.runStatements({ ...unfinished, step }, recorded);
}

type Backfill = Extract<MigrationStep, { kind: 'backfill' }>;

function isBackfill(step: MigrationStep): step is Backfill {
  return step.kind === 'backfill';
}

async function backfill(
  place: StepPlace,
  { version, stepNo, name, step }: UnfinishedStep & { step: Backfill },
  { pace, onEvent, stop }: StepRunOptions,
): Promise<void> {
  const { table, key, sql } = step;
  let size = ROWS_AT_FIRST;
  for (;;) {
    stop.throwIfAborted();
    const startedMs = performance.now();
    const { isFinished, rowsDone, rowsTotal } = await place.runBatch({
      version,
      stepNo,
      table,
      key,
      sql,
      size,
    });
    const durationMs = performance.now() - startedMs;
    onEvent({ kind: 'backfilling', step: name, done: rowsDone, total: Math.max(rowsDone, rowsTotal) });
    if (isFinished) {
      return;
    }
    size = nextSize(size, durationMs);
    await pause(durationMs * pace.pauseRatio, undefined, { signal: stop });
  }
}

/** The number of rows that would have taken BATCH_TARGET_MS, at most twice and at least half of the last batch. */
function nextSize(size: number, durationMs: number): number {
  const factor = Math.min(2, Math.max(0.5, BATCH_TARGET_MS / Math.max(durationMs, 0.1)));
  return Math.round(Math.min(ROWS_MAX, Math.max(ROWS_MIN, size * factor)));
}

export interface BackgroundRun {
  /** Ends after the batch under way. Resolves when nothing runs any more. */
  stop(): Promise<void>;
}

/** Runs steps beside the service. After a failure they are tried again: a database that restarts must not end them. */
export function startInBackground(
  run: (stop: AbortSignal) => Promise<void>,
  onEvent: (event: BackgroundEvent) => void,
): BackgroundRun {
  const controller = new AbortController();
  const { signal } = controller;

  async function untilDone(): Promise<void> {
    await pause(START_AFTER_MS, undefined, { signal }).catch(() => {});
    for (let pauseMs = TRY_AGAIN_MS_MIN; !signal.aborted; pauseMs = Math.min(2 * pauseMs, TRY_AGAIN_MS_MAX)) {
      try {
        return await run(signal);
      } catch (error) {
        if (!signal.aborted) {
          onEvent({ kind: 'interrupted', reason: error instanceof Error ? error.message : String(error) });
          await pause(pauseMs, undefined, { signal }).catch(() => {});
        }
      }
    }
  }

  const running = untilDone();
  return {
    async stop() {
      controller.abort();
      await running;
    },
  };
}
