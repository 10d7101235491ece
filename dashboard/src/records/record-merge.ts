import { t } from '@lingui/core/macro';
import type { GuildRecord, RecordBody } from '../api/records.ts';
import type { RecordKind, TextName } from './record-kinds.ts';

export type FieldName = TextName | 'date';
export type Side = 'mine' | 'theirs';

/** A field whose value in the service differs from that in the form. */
export interface Difference {
  name: FieldName;
  label: string;
  mine: string;
  theirs: string;
  /** The likely choice: a field that was not changed here keeps the other person's value. */
  likely: Side;
}

interface Versions {
  /** The record when the form was opened. */
  base: GuildRecord;
  /** The present record, changed by somebody else. */
  theirs: GuildRecord;
  /** The values to be saved. */
  mine: RecordBody;
}

/** Every field in which the two versions differ, in the order of the form. */
export function findDifferences(kind: RecordKind, { base, theirs, mine }: Versions): Difference[] {
  const named = kind.fields.map(({ name, label }): { name: FieldName; label: string } => ({ name, label }));
  return [...named, { name: 'date' as const, label: t`Date` }].flatMap(({ name, label }) => {
    const entered = mine[name] ?? '';
    const present = theirs[name] ?? '';
    if (entered === present) return [];
    const likely: Side = entered === (base[name] ?? '') ? 'theirs' : 'mine';
    return [{ name, label, mine: entered, theirs: present, likely }];
  });
}

/** The values to save: for each field that differs, those of the chosen side. */
export function mergeRecord(
  mine: RecordBody,
  differences: readonly Difference[],
  choices: Partial<Record<FieldName, Side>>,
): RecordBody {
  const taken = differences.map(({ name, likely, ...texts }) => [name, texts[choices[name] ?? likely]]);
  return { ...mine, ...Object.fromEntries(taken) };
}
