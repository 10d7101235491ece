import { EXCEPTIONS, EXCLUDED } from './exceptions.ts';
import type { Outcome } from './schemathesis.ts';

const FAILURES_SHOWN_MAX = 50;

/** Adds the outcomes of several runs up. */
export function addUp(outcomes: readonly Outcome[]): Outcome {
  const sum: Outcome = { status: 0, cases: 0, checks: {}, statuses: {}, exceptions: {}, failures: [] };
  for (const { status, cases, checks, statuses, exceptions, failures } of outcomes) {
    sum.status = Math.max(sum.status, status);
    sum.cases += cases;
    sum.failures = [...sum.failures, ...failures];
    for (const [name, { count, failed }] of Object.entries(checks)) {
      const before = sum.checks[name] ?? { count: 0, failed: 0 };
      sum.checks[name] = { count: before.count + count, failed: before.failed + failed };
    }
    for (const [reason, count] of Object.entries(exceptions)) {
      sum.exceptions[reason] = (sum.exceptions[reason] ?? 0) + count;
    }
    for (const [operation, counts] of Object.entries(statuses)) {
      const own: Record<string, number> = { ...sum.statuses[operation] };
      for (const [code, count] of Object.entries(counts)) {
        own[code] = (own[code] ?? 0) + count;
      }
      sum.statuses[operation] = own;
    }
  }
  return sum;
}

/** Operations without any successful request: their cases checked only refusals. */
export function neverSucceeded({ statuses }: Outcome): string[] {
  const isSuccess = (status: string) => /^[23]/.test(status);
  return Object.entries(statuses)
    .filter(([, counts]) => !Object.keys(counts).some(isSuccess))
    .map(([operation, counts]) => `${operation} ${JSON.stringify(counts)}`);
}

export function printOutcome(title: string, outcome: Outcome): void {
  const byStatus: Record<string, number> = {};
  for (const [status, count] of Object.values(outcome.statuses).flatMap(Object.entries<number>)) {
    byStatus[status] = (byStatus[status] ?? 0) + count;
  }
  console.log(`\n${title}: ${outcome.cases} cases`);
  console.log(`  answers by status: ${JSON.stringify(byStatus)}`);
  for (const [name, { count, failed }] of Object.entries(outcome.checks)) {
    console.log(`  ${name.padEnd(32)} ${String(count).padStart(7)} times, ${failed} failed`);
  }
}

export function printExceptions({ exceptions }: Outcome): void {
  console.log('\nNot called:');
  for (const { operation, reason } of EXCLUDED) {
    console.log(`  ${operation}: ${reason}`);
  }
  console.log('\nFailures that are none, by their reason:');
  for (const reason of new Set(EXCEPTIONS.map((exception) => exception.reason))) {
    console.log(`  ${String(exceptions[reason] ?? 0).padStart(6)}  ${reason}`);
  }
}

/** Prints one failure of each kind. */
export function printFailures({ failures }: Outcome): void {
  const kinds = Object.values(
    Object.groupBy(failures, ({ failure, operation, status, message }) =>
      [failure, operation, status, message].join(' '),
    ),
  );
  for (const [first, ...others] of kinds.slice(0, FAILURES_SHOWN_MAX).map((kind) => kind ?? [])) {
    console.log(
      `\n${JSON.stringify(first, null, 2)}${others.length === 0 ? '' : `\nand ${others.length} more`}`,
    );
  }
}
