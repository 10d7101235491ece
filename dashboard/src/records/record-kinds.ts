import { t } from '@lingui/core/macro';
import type { GuildRecord, RecordPath } from '../api/records.ts';
import { lazily } from '../components/lazily.ts';
import type { TextKind } from '../components/text-fault.ts';
import { dischargeTexts, type RecordTexts, transferTexts } from './record-texts.ts';

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
  texts: RecordTexts;
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

const name = lazily(
  (): TextField<TextName> => ({
    name: 'name',
    label: t`Name`,
    kind: 'line',
    explanation: t`The person’s name, as the record shows it.`,
  }),
);
const playerId = lazily(
  (): TextField<TextName> => ({
    name: 'playerId',
    label: t`Player id`,
    kind: 'id',
    explanation: t`Their id on the game platform. It leads to their ledger.`,
  }),
);
const signed = lazily(
  (): TextField<TextName> => ({
    name: 'signed',
    label: t`Signed by`,
    kind: 'note',
    explanation: t`Who stands for it. May be left empty.`,
  }),
);

/** Only a new record can be given an id. */
export const idField = lazily(
  (): TextField => ({
    name: 'id',
    label: t`Id`,
    kind: 'note',
    explanation: t`Left empty, one is made. It cannot be changed later.`,
  }),
);

export const dischargeKind = lazily(
  (): RecordKind => ({
    path: 'discharges',
    title: t`Discharges`,
    texts: dischargeTexts(),
    auditKind: 'discharge',
    lead: t`Who left, when and why.`,
    allowsPlainDate: true,
    dateExplanation: t`When the person left. The time may be left out.`,
    hasType: true,
    dateAfter: 'chatId',
    fields: [
      name(),
      playerId(),
      { name: 'chatId', label: t`Chat id`, kind: 'id', explanation: t`Their id on the chat platform.` },
      {
        name: 'type',
        label: t`Type`,
        kind: 'note',
        explanation: t`In your own words. The list can be filtered by it.`,
      },
      {
        name: 'from',
        label: t({ message: 'From', context: 'former unit' }),
        kind: 'note',
        explanation: t`What they left, such as their unit.`,
      },
      signed(),
      { name: 'reason', label: t`Reason`, kind: 'block', explanation: t`Shown in full in the details.` },
    ],
  }),
);

export const transferKind = lazily(
  (): RecordKind => ({
    path: 'transfers',
    title: t`Transfers`,
    texts: transferTexts(),
    auditKind: 'transfer',
    lead: t`Who moved from where to where.`,
    allowsPlainDate: false,
    dateExplanation: t`When the person moved, in your time zone.`,
    hasType: false,
    dateAfter: 'to',
    fields: [
      name(),
      playerId(),
      {
        name: 'from',
        label: t({ message: 'From', context: 'former unit' }),
        kind: 'line',
        explanation: t`Where they were before.`,
      },
      {
        name: 'to',
        label: t({ message: 'To', context: 'new unit' }),
        kind: 'line',
        explanation: t`Where they are now.`,
      },
      signed(),
    ],
  }),
);

/** The form id of a record, for its draft; without an id, that of a new record. */
export function recordFormId({ path }: RecordKind, id: string | undefined): string {
  return id === undefined ? `${path}/new` : `${path}/edit/${id}`;
}
