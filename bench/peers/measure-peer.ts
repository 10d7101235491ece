import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type CompareOptions, type Comparison, compareWithBare, type Pace } from '../support/measure.ts';
import { createFolder } from '../support/processes.ts';
import type { QuietWatch } from '../support/quiet.ts';
import { askOnce } from '../support/servers.ts';
import type { Load } from '../support/wrk.ts';
import { JOB_NAMES, JOBS, type JobName, NotObtainedError, type Peer, type RunningPeer } from './peer.ts';
import type { Sample } from './sample.ts';

/** Answers whose content is checked before and after each job, spread over the requests of its load. */
const CHECKED_ANSWERS = 20;
const LOG_LINES = 20;

export type JobResult =
  | { outcome: 'measured'; comparison: Comparison }
  | { outcome: 'failed'; reason: string }
  /** The peer has no such endpoint. */
  | { outcome: 'absent' };

export interface PeerResult {
  name: string;
  title: string;
  version: string;
  survivesPowerCut: boolean;
  durability: string;
  /** Only a measured peer has figures. */
  outcome: 'measured' | 'not obtained' | 'failed';
  reason?: string;
  jobs: Partial<Record<JobName, JobResult>>;
}

/** Obtains, starts, fills, checks and measures one peer. A peer that fails is a result like any other. */
export async function measurePeer(
  peer: Peer,
  { sample, pace, watch, data }: { sample: Sample; pace: Pace; watch: QuietWatch; data: string },
): Promise<PeerResult> {
  const { name, title, version, survivesPowerCut, durability } = peer;
  const known = { name, title, version, survivesPowerCut, durability };
  const result: PeerResult = { ...known, outcome: 'measured', jobs: {} };
  const folder = createFolder(data);
  try {
    console.log(`${title}: obtaining ${version}`);
    const program = await peer.obtain(folder);
    console.log(`${title}: starting and filling`);
    const running = await peer.start({ program, folder, sample });
    for (const job of JOB_NAMES) {
      result.jobs[job] = await measureJob(job, running, { name, folder, pace, watch });
      printJob(title, job, result.jobs[job]);
    }
    await running.stop();
    return result;
  } catch (error) {
    const reason = messageOf(error);
    const outcome = error instanceof NotObtainedError ? 'not obtained' : 'failed';
    console.error(`${title}: ${outcome}: ${reason}`);
    console.error(
      error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : readLog(folder),
    );
    return { ...result, outcome, reason };
  }
}

async function measureJob(
  job: JobName,
  running: RunningPeer,
  options: CompareOptions & { name: string },
): Promise<JobResult> {
  const load = running.loads[job];
  if (load === undefined) {
    return { outcome: 'absent' };
  }
  try {
    await checkAnswers(job, load, running);
    const storedBefore = await running.countTransactions();
    const comparison = await compareWithBare(JOBS[job], load, running.server, options);
    const stored = (await running.countTransactions()) - storedBefore;
    if (job === 'post' && stored < comparison.answered) {
      throw new Error(`${comparison.answered} posts were acknowledged and ${stored} are stored`);
    }
    await checkAnswers(job, load, running);
    return { outcome: 'measured', comparison };
  } catch (error) {
    return { outcome: 'failed', reason: messageOf(error) };
  }
}

async function checkAnswers(job: JobName, load: Load, { server, check }: RunningPeer): Promise<void> {
  for (let answer = 0; answer < CHECKED_ANSWERS; answer += 1) {
    const index = Math.floor((answer * load.count) / CHECKED_ANSWERS);
    const { status, body } = await askOnce(load.request(index), server.address);
    if (status >= 300) {
      throw new Error(`request ${index} was answered with ${status}: ${body}`);
    }
    check(job, index, body);
  }
}

function printJob(title: string, job: JobName, result: JobResult | undefined): void {
  if (result?.outcome !== 'measured') {
    console.log(
      `${title}, ${JOBS[job]}: ${result?.outcome === 'failed' ? result.reason : 'no such endpoint'}`,
    );
    return;
  }
  const { measured, limit, ratio, spread, answered, stolenPercent } = result.comparison;
  const range = `${spread.lowest.toFixed(3)} to ${spread.highest.toFixed(3)}`;
  console.log(
    `${title}, ${JOBS[job]}: ${measured.toFixed(0)} of ${limit.toFixed(0)} requests/s: ${ratio.toFixed(3)} (${range}), ` +
      `${answered} answers; others took ${stolenPercent.toFixed(0)} % of the processors`,
  );
}

function readLog(folder: string): string {
  try {
    return readFileSync(path.join(folder, 'output.log'), 'utf8').split('\n').slice(-LOG_LINES).join('\n');
  } catch {
    return '';
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
