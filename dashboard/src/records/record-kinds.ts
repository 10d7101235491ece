import type { GuildRecord, RecordPath } from '../api/records.ts';
import type { TextKind } from '../components/text-fault.ts';

export type TextName = Exclude<keyof GuildRecord, 'id' | 'date'>;

export interface TextField<Name = TextName | 'id'> {
  name: Name;
  label: string;
  kind: TextKind;
  explanation: string;
}

/** The differences between discharges and transfers. */
export interface RecordKind {
  path: RecordPath;
  title: string;
  noun: string;
  /** The kind in the audit log. */
  auditKind: 'discharge' | 'transfer';
  lead: string;
  /** True when a date may have no time. */
  allowsPlainDate: boolean;
  dateExplanation: string;
  hasType: boolean;
  /** In the order of the form and of the details. */
  fields: readonly TextField<TextName>[];
  /** The field before the date in the form. */
  dateAfter: TextName;
}

const name: TextField<TextName> = {
  name: 'name',
  label: 'Name',
  kind: 'line',
  explanation: 'The person’s name, as the record shows it.',
};
const playerId: TextField<TextName> = {
  name: 'playerId',
  label: 'Player id',
  kind: 'id',
  explanation: 'Their id on the game platform. It leads to their ledger.',
};
const signed: TextField<TextName> = {
  name: 'signed',
  label: 'Signed by',
  kind: 'note',
  explanation: 'Who stands for it. May be left empty.',
};

/** Only a new record can be given an id. */
export const idField: TextField = {
  name: 'id',
  label: 'Id',
  kind: 'note',
  explanation: 'Left empty, one is made. It cannot be changed later.',
};

export const dischargeKind: RecordKind = {
  path: 'discharges',
  title: 'Discharges',
  noun: 'discharge',
  auditKind: 'discharge',
  lead: 'Who left, when and why.',
  allowsPlainDate: true,
  dateExplanation: 'When the person left. The time may be left out.',
  hasType: true,
  dateAfter: 'chatId',
  fields: [
    name,
    playerId,
    { name: 'chatId', label: 'Chat id', kind: 'id', explanation: 'Their id on the chat platform.' },
    {
      name: 'type',
      label: 'Type',
      kind: 'note',
      explanation: 'In your own words. The list can be filtered by it.',
    },
    { name: 'from', label: 'From', kind: 'note', explanation: 'What they left, such as their unit.' },
    signed,
    { name: 'reason', label: 'Reason', kind: 'block', explanation: 'Shown in full in the details.' },
  ],
};

export const transferKind: RecordKind = {
  path: 'transfers',
  title: 'Transfers',
  noun: 'transfer',
  auditKind: 'transfer',
  lead: 'Who moved from where to where.',
  allowsPlainDate: false,
  dateExplanation: 'When the person moved, in your time zone.',
  hasType: false,
  dateAfter: 'to',
  fields: [
    name,
    playerId,
    { name: 'from', label: 'From', kind: 'line', explanation: 'Where they were before.' },
    { name: 'to', label: 'To', kind: 'line', explanation: 'Where they are now.' },
    signed,
  ],
};

/** The form id of a record, for its draft; without an id, that of a new record. */
export function recordFormId({ path }: RecordKind, id: string | undefined): string {
  return id === undefined ? `${path}/new` : `${path}/edit/${id}`;
}

/** "discharge" as "Discharge", for the beginning of a line. */
export function capitalized(noun: string): string {
  return `${noun.slice(0, 1).toUpperCase()}${noun.slice(1)}`;
}
