import { t } from '@lingui/core/macro';
import type { GuildRecord, RecordBody } from '../api/records.ts';
import { lazily } from '../components/lazily.ts';
import { textFault } from '../components/text-fault.ts';
import { type DateInput, fromDateInput, nowInput, toDateInput } from './record-date.ts';
import { dischargeKind, type RecordKind, type TextName, transferKind } from './record-kinds.ts';

export interface RecordValues extends Record<TextName, string> {
  id: string;
  date: DateInput;
}

/** The texts of an empty form. The two kinds have all fields between them, so each name is set. */
const noTexts = lazily(
  () =>
    Object.fromEntries(
      [...dischargeKind().fields, ...transferKind().fields].map(({ name }) => [name, '']),
    ) as Record<TextName, string>,
);

/** The initial values of the form: those of the record, or a new one dated now. */
export function startValues(
  kind: RecordKind,
  record: Partial<GuildRecord> | undefined,
  nowMs: number,
): RecordValues {
  const { date, ...texts } = record ?? {};
  return {
    id: '',
    ...noTexts(),
    ...texts,
    date: date === undefined ? nowInput(nowMs, !kind.allowsPlainDate) : toDateInput(date),
  };
}

/** The order of the fields: person, date, other lines, the id of a new record, long texts. */
export function formOrder(kind: RecordKind, isNew: boolean): (keyof RecordValues)[] {
  const lines = kind.fields.filter((field) => field.kind !== 'block').map(({ name }) => name);
  const blocks = kind.fields.filter((field) => field.kind === 'block').map(({ name }) => name);
  const dated = lines.flatMap((name): (keyof RecordValues)[] =>
    name === kind.dateAfter ? [name, 'date'] : [name],
  );
  return [...dated, ...(isNew ? ['id' as const] : []), ...blocks];
}

/** Errors by field; empty when the form can be sent. */
export function findRecordFaults(kind: RecordKind, values: RecordValues): Record<string, string> {
  const faults: Record<string, string> = {};
  for (const field of kind.fields) {
    const fault = textFault(values[field.name], field.kind);
    if (fault !== null) faults[field.name] = fault;
  }
  if (fromDateInput(values.date) === undefined) {
    faults.date = values.date.hasTime ? t`Enter a date and a time` : t`Enter a date`;
  }
  const idFault = values.id === '' ? null : textFault(values.id, 'id');
  if (idFault !== null) faults.id = idFault;
  return faults;
}

/**
 * The request body. Texts are trimmed, but unchanged fields are sent exactly as they were: a date keeps its offset
 * and its fractions of a second.
 */
export function recordBody(
  kind: RecordKind,
  values: RecordValues,
  before: GuildRecord | undefined,
): RecordBody {
  const body: RecordBody = {};
  for (const { name } of kind.fields) {
    const isSame = before !== undefined && values[name] === (before[name] ?? '');
    const text = isSame ? before[name] : values[name].trim();
    if (text !== undefined) body[name] = text;
  }
  const isSameDate = before !== undefined && isSameInput(values.date, toDateInput(before.date));
  body.date = isSameDate ? before.date : (fromDateInput(values.date) ?? '');
  if (before === undefined && values.id.trim() !== '') body.id = values.id.trim();
  return body;
}

function isSameInput(one: DateInput, other: DateInput): boolean {
  return one.hasTime === other.hasTime && one.value === other.value;
}
