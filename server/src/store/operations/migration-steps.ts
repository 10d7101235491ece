import { OperatorError } from '../../domain/errors.ts';

/**
 * The kinds of steps. `expand` runs before the new version serves. The others run in the background while it serves: `backfill` in
 * batches, `index` builds or drops indexes that no statement needs, and `contract` removes what the version before no longer uses.
 */
const KINDS = ['expand', 'backfill', 'index', 'contract'] as const;
export type StepKind = (typeof KINDS)[number];

/** Statements that change the schema. */
export interface SchemaStep {
  kind: Exclude<StepKind, 'backfill'>;
  sql: string;
}

/**
 * One statement that is run for ranges of a table's rows, in the order of a unique key. `$batch` in its text stands for the condition
 * that selects the range.
 */
export interface BackfillStep {
  kind: 'backfill';
  table: string;
  key: readonly string[];
  sql: string;
}

export type MigrationStep = SchemaStep | BackfillStep;

const HEADING = /^-- step: (.*)$/;
const BACKFILL = /^backfill (\w+) by (\w+(?:, \w+)*)$/;
export const BATCH = '$batch';

/**
 * Reads the steps of a migration. Each begins with a line such as `-- step: index` or
 * `-- step: backfill account by guild_no, account_no`. A file without such lines is one `expand` step.
 */
export function parseSteps(file: string, sql: string): MigrationStep[] {
  const parts: { heading: string; lines: string[] }[] = [];
  const preamble: string[] = [];
  for (const line of sql.split('\n')) {
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) {
      parts.push({ heading, lines: [] });
    } else {
      (parts.at(-1)?.lines ?? preamble).push(line);
    }
  }
  if (parts.length === 0) {
    return [{ kind: 'expand', sql }];
  }
  if (preamble.some((line) => !isComment(line))) {
    throw refusal(file, 'has SQL before its first step');
  }
  const steps = parts.map(({ heading, lines }) => toStep(file, heading, lines.join('\n')));
  const isLate = (step: MigrationStep, index: number) =>
    step.kind === 'expand' && steps.slice(0, index).some(({ kind }) => kind !== 'expand');
  if (steps.some(isLate)) {
    throw refusal(file, 'has an expand step after a step that runs in the background');
  }
  return steps;
}

function toStep(file: string, heading: string, sql: string): MigrationStep {
  if (sql.split('\n').every(isComment)) {
    throw refusal(file, `has an empty step: ${heading}`);
  }
  const [, table, key] = BACKFILL.exec(heading) ?? [];
  if (table !== undefined && key !== undefined) {
    if (!sql.includes(BATCH)) {
      throw refusal(file, `has a backfill without ${BATCH}`);
    }
    return { kind: 'backfill', table, key: key.split(', '), sql: statementOf(sql) };
  }
  const kind = KINDS.find((known) => known === heading);
  if (kind === undefined || kind === 'backfill') {
    throw refusal(file, `has an unknown step: ${heading}`);
  }
  return { kind, sql };
}

/** The text of a single statement without comments and its semicolon. */
function statementOf(sql: string): string {
  const lines = sql.split('\n').filter((line) => !isComment(line));
  return lines.join('\n').trim().replace(/;$/, '');
}

export function isComment(line: string): boolean {
  return /^\s*(--|$)/.test(line);
}

function refusal(file: string, reason: string): OperatorError {
  return new OperatorError(`the migration ${file} ${reason}`);
}

/** Names a step for operators: the migration, and what the step does. */
export function nameStep(migration: { version: number; name: string }, step: MigrationStep): string {
  const what = step.kind === 'backfill' ? `backfill of ${step.table}` : step.kind;
  return `${migration.version} ${migration.name}, ${what}`;
}
