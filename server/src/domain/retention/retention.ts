import { USAGE_DAYS_MAX } from '../../key-terms.ts';
import { DAY_MS } from '../calendar.ts';
import type { Clock, Store } from '../ports.ts';
import type { KeyRange, RangeEnd } from './retention-store.ts';

/** How long rows are kept, in days. */
export interface RetentionDays {
  idempotencyDays: number;
  /** Undefined keeps the audit log for good. */
  auditDays: number | undefined;
  webhookAttemptDays: number;
  /** Counted from the end of the session. */
  sessionDays: number;
}

/** The number of removed rows, by kind. */
export interface Removed {
  idempotencyKeys: number;
  batchKeys: number;
  auditEntries: number;
  webhookAttempts: number;
  /** Requests of keys, and counts of them. */
  keyLogRows: number;
  sessions: number;
}

const NOTHING: Removed = {
  idempotencyKeys: 0,
  batchKeys: 0,
  auditEntries: 0,
  webhookAttempts: 0,
  keyLogRows: 0,
  sessions: 0,
};

export interface RetentionParts {
  store: Pick<Store, 'retention'>;
  clock: Clock;
  days: RetentionDays;
  /** Makes a name for each run, under which it has the lease. */
  nameRun: () => string;
  pause: (durationMs: number) => Promise<unknown>;
}

const JOB = 'retention';
/** When a process dies, another one takes the job over after this time. */
const LEASE_MS = 10 * 60_000;
/** A run starts at most this often, whatever the number of instances. */
const RUN_EVERY_MS = DAY_MS;
const GUILDS_PER_READ = 200;
const ROWS_PER_STEP = 200;
/** A pause of nine times the duration of a step: the job uses at most a tenth of the time. */
const PAUSE_FACTOR = 9;

/** Stops a run that has lost its lease or has to end. */
class Ended extends Error {}

/**
 * Removes rows that have outlived their time. Only one instance does so at a time, in small steps with pauses in
 * between. A run that is cut off is repeated from the start: each step removes only what is due.
 */
export function createRetention({ store: { retention }, clock, days, nameRun, pause }: RetentionParts) {
  let holder = '';
  let leaseUntilMs = 0;

  async function takeLease(untilMs: number): Promise<boolean> {
    leaseUntilMs = untilMs;
    return retention.takeLease({ job: JOB, holder, nowMs: clock.nowMs(), untilMs });
  }

  /** Runs one step, then pauses in proportion to its duration. Extends the lease when half of it has passed. */
  async function paced<Result>(stop: AbortSignal, step: () => Promise<Result>): Promise<Result> {
    const nowMs = clock.nowMs();
    const isDue = leaseUntilMs - nowMs < LEASE_MS / 2;
    if (stop.aborted || (isDue && !(await takeLease(nowMs + LEASE_MS)))) {
      throw new Ended();
    }
    const beganMs = clock.monotonicMs();
    const result = await step();
    await pause(PAUSE_FACTOR * (clock.monotonicMs() - beganMs));
    return result;
  }

  async function removeRanges(
    guildNo: number,
    stop: AbortSignal,
    step: (range: KeyRange) => Promise<RangeEnd>,
  ): Promise<number> {
    let removed = 0;
    let after: string | undefined = '';
    while (after !== undefined) {
      const range: KeyRange = { guildNo, after, limit: ROWS_PER_STEP };
      const end = await paced(stop, () => step(range));
      removed += end.removed;
      after = end.next;
    }
    return removed;
  }

  async function removeBatches(stop: AbortSignal, step: () => Promise<number>): Promise<number> {
    let removed = 0;
    let count: number;
    do {
      count = await paced(stop, step);
      removed += count;
    } while (count === ROWS_PER_STEP);
    return removed;
  }

  async function removeEntries(guildNo: number | undefined, stop: AbortSignal): Promise<number> {
    if (days.auditDays === undefined) {
      return 0;
    }
    const beforeMs = clock.nowMs() - days.auditDays * DAY_MS;
    return removeBatches(stop, () =>
      retention.removeAuditEntries({ guildNo, beforeMs, limit: ROWS_PER_STEP }),
    );
  }

  async function removeOfGuild(guildNo: number, removed: Removed, stop: AbortSignal): Promise<void> {
    const nowMs = clock.nowMs();
    const beforeMs = nowMs - days.idempotencyDays * DAY_MS;
    const oldestMs = await paced(stop, () => retention.oldestTransactionMs(guildNo));
    if (oldestMs !== undefined && oldestMs < beforeMs) {
      removed.idempotencyKeys += await removeRanges(guildNo, stop, (range) =>
        retention.expireKeys(range, beforeMs),
      );
    }
    removed.batchKeys += await removeRanges(guildNo, stop, (range) =>
      retention.expireBatchKeys(range, { nowMs, beforeMs }),
    );
    removed.auditEntries += await removeEntries(guildNo, stop);
    const attemptsBeforeMs = nowMs - days.webhookAttemptDays * DAY_MS;
    removed.webhookAttempts += await paced(stop, () =>
      retention.removeAttempts({ guildNo, beforeMs: attemptsBeforeMs }),
    );
    const keyLogBeforeMs = nowMs - USAGE_DAYS_MAX * DAY_MS;
    removed.keyLogRows += await paced(stop, () =>
      retention.removeKeyLog({ guildNo, beforeMs: keyLogBeforeMs }),
    );
  }

  async function removeAll(stop: AbortSignal): Promise<Removed> {
    const removed = { ...NOTHING };
    const sessionsBeforeMs = clock.nowMs() - days.sessionDays * DAY_MS;
    removed.sessions = await removeBatches(stop, () =>
      retention.removeSessions({ beforeMs: sessionsBeforeMs, limit: ROWS_PER_STEP }),
    );
    removed.auditEntries = await removeEntries(undefined, stop);
    let lastNo = 0;
    for (;;) {
      const guildNos = await paced(stop, () => retention.guilds(lastNo, GUILDS_PER_READ));
      for (const guildNo of guildNos) {
        await removeOfGuild(guildNo, removed, stop);
        lastNo = guildNo;
      }
      if (guildNos.length < GUILDS_PER_READ) {
        return removed;
      }
    }
  }

  return {
    /**
     * Runs once if no run has begun within a day and no other instance is running. Undefined when nothing was done, or
     * when the run ended early.
     */
    async run(stop: AbortSignal): Promise<Removed | undefined> {
      holder = nameRun();
      const beganMs = clock.nowMs();
      if (!(await takeLease(beganMs + LEASE_MS))) {
        return undefined;
      }
      try {
        const removed = await removeAll(stop);
        // The lease stays taken until the next run is due.
        await takeLease(beganMs + RUN_EVERY_MS);
        return removed;
      } catch (error) {
        if (error instanceof Ended) {
          return undefined;
        }
        throw error;
      }
    },
  };
}

export type Retention = ReturnType<typeof createRetention>;
