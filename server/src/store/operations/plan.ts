import type { StepKind } from './migration-steps.ts';

/** A statement of an upgrade that would run. */
export interface PlannedWork {
  /** The migration, such as "19 key-route-limits". */
  migration: string;
  kind: StepKind;
  work: string;
  /** The strongest lock, and what it keeps others from doing. */
  lock: string;
  /** Rows that are read or written. */
  rows: number;
  seconds: number;
}

export interface UpgradePlan {
  /** The schema version of the store; 0 when there is none yet. */
  from: number;
  to: number;
  works: PlannedWork[];
  /** Facts about the upgrade as a whole. */
  notes: string[];
}

/** The plan of an upgrade of a store that does not exist: it is made new, and nothing is upgraded. */
export function planOfNewStore(to: number): UpgradePlan {
  return { from: 0, to, works: [], notes: ['There is no store yet: a new one is made.'] };
}

/** The first line of a statement, as a plan shows it. */
export function firstLine(sql: string): string {
  const [line = ''] = sql.split('\n').filter((text) => !/^\s*(--|$)/.test(text));
  return line.trim().replace(/;$/, '');
}
