import { EXTRA_COLUMNS } from '../ledger/extra-columns.ts';
import { DISCHARGES, type RecordKind, TRANSFERS } from '../records/record-kinds.ts';
import {
  GUILD_BOARD_COLUMNS,
  GUILD_CHAT_COLUMNS,
  GUILD_COLUMNS,
  INVITATION_COLUMNS,
  KEY_COLUMNS,
  KEY_LIMIT_COLUMNS,
  REQUEST_COLUMNS,
  WEBHOOK_COLUMNS,
} from './copy-columns.ts';
import { SEAL_TABLES } from './copy-seal-tables.ts';

/** The tables that are copied from one store to another: all except sessions and unfinished sign-ins. */

/**
 * How the values of a column are copied. A flag is a number in SQLite and a boolean in PostgreSQL. A sum has two
 * columns in SQLite, `<name>_high` and `<name>_low`, and one in PostgreSQL, `<name>_units`; it is copied as text.
 */
export type ColumnKind = 'number' | 'text' | 'flag' | 'sum' | 'bytes';

export interface CopyTable {
  name: string;
  /** The primary key: rows are read and written in its order. */
  key: readonly string[];
  columns: Readonly<Record<string, ColumnKind>>;
}

export type CopyValue = number | string | boolean | Uint8Array | null;
/** The values of a row in the order of its table's columns. */
export type CopyRow = readonly CopyValue[];

const MONEY = {
  deposit_count: 'number',
  deposit: 'sum',
  withdrawal_count: 'number',
  withdrawal: 'sum',
} as const;

function copiedKinds(
  columns: readonly { name: string; type: 'text' | 'bigint' }[],
): Record<string, ColumnKind> {
  return Object.fromEntries(columns.map(({ name, type }) => [name, type === 'bigint' ? 'number' : 'text']));
}

function recordTable({ table, columns }: Pick<RecordKind<never, never>, 'table' | 'columns'>): CopyTable {
  return {
    name: table.name,
    key: ['guild_no', table.id],
    columns: {
      guild_no: 'number',
      ...copiedKinds(columns),
    },
  };
}

/** Ordered so that the rows which a row refers to are copied before it. */
export const COPY_TABLES: readonly CopyTable[] = [
  { name: 'guild', key: ['guild_no'], columns: GUILD_COLUMNS },
  {
    name: 'guild_ledger',
    key: ['guild_no'],
    columns: { guild_no: 'number', last_number: 'number', archived_number: 'number' },
  },
  {
    name: 'api_key',
    key: ['key_no'],
    columns: KEY_COLUMNS,
  },
  { name: 'former_key', key: ['hash'], columns: { hash: 'text', key_no: 'number', valid_until: 'number' } },
  {
    name: 'guild_chat_role',
    key: ['guild_no', 'chat_role_id'],
    columns: { guild_no: 'number', chat_role_id: 'text', name: 'text', role: 'text' },
  },
  {
    name: 'guild_person',
    key: ['guild_no', 'chat_id'],
    columns: { guild_no: 'number', chat_id: 'text', role: 'text', invited_by: 'text', created_at: 'number' },
  },
  {
    name: 'guild_invitation',
    key: ['guild_no', 'invitation_id'],
    columns: INVITATION_COLUMNS,
  },
  { name: 'guild_board', key: ['guild_no'], columns: GUILD_BOARD_COLUMNS },
  { name: 'guild_chat', key: ['guild_no'], columns: GUILD_CHAT_COLUMNS },
  {
    name: 'chat_payment',
    key: ['guild_no', 'day', 'chat_id', 'payment_key'],
    columns: { guild_no: 'number', day: 'number', chat_id: 'text', payment_key: 'text', units: 'number' },
  },
  {
    name: 'key_limit',
    key: ['guild_no', 'key_no'],
    columns: KEY_LIMIT_COLUMNS,
  },
  {
    name: 'key_usage',
    key: ['guild_no', 'key_no', 'day', 'code'],
    columns: { guild_no: 'number', key_no: 'number', day: 'number', code: 'text', count: 'number' },
  },
  {
    name: 'key_hour',
    key: ['guild_no', 'key_no', 'hour', 'route', 'code'],
    columns: {
      guild_no: 'number',
      key_no: 'number',
      hour: 'number',
      route: 'text',
      code: 'text',
      count: 'number',
    },
  },
  {
    name: 'key_request',
    key: ['guild_no', 'key_no', 'at', 'request_id'],
    columns: REQUEST_COLUMNS,
  },
  { name: 'chat_user', key: ['chat_id'], columns: { chat_id: 'text', name: 'text', avatar: 'text' } },
  { name: 'person_preference', key: ['chat_id'], columns: { chat_id: 'text', preferences: 'text' } },
  {
    name: 'account',
    key: ['guild_no', 'account_no'],
    columns: {
      guild_no: 'number',
      account_no: 'number',
      player_id: 'text',
      balance: 'number',
      transaction_count: 'number',
      last_created_at: 'number',
      floor: 'number',
      archived_count: 'number',
      opened_at: 'number',
      archived_at: 'number',
    },
  },
  {
    name: 'ledger_transaction',
    key: ['guild_no', 'account_no', 'seq'],
    columns: {
      guild_no: 'number',
      account_no: 'number',
      seq: 'number',
      transaction_id: 'text',
      amount: 'number',
      quantity: 'number',
      total: 'number',
      name: 'text',
      source: 'text',
      balance_after: 'number',
      key_no: 'number',
      created_at: 'number',
      posted_by: 'text',
      number: 'number',
    },
  },
  {
    name: 'ledger_extra',
    key: ['guild_no', 'number'],
    columns: {
      guild_no: 'number',
      number: 'number',
      ...copiedKinds(EXTRA_COLUMNS),
      reverses_id: 'text',
    },
  },
  {
    name: 'idempotency',
    key: ['guild_no', 'idempotency_key'],
    columns: {
      guild_no: 'number',
      idempotency_key: 'text',
      request_hash: 'text',
      account_no: 'number',
      seq: 'number',
    },
  },
  {
    name: 'batch_request',
    key: ['guild_no', 'batch_key'],
    columns: { guild_no: 'number', batch_key: 'text', request_hash: 'text', seen_at: 'number' },
  },
  {
    name: 'archive',
    key: ['guild_no'],
    columns: {
      guild_no: 'number',
      through_number: 'number',
      before_at: 'number',
      deposit_count: 'number',
      deposit_units: 'text',
      withdrawal_count: 'number',
      withdrawal_units: 'text',
    },
  },
  {
    name: 'archived_transaction',
    key: ['guild_no', 'id'],
    columns: { guild_no: 'number', id: 'text' },
  },
  ...SEAL_TABLES,
  {
    name: 'guild_day',
    key: ['guild_no', 'day'],
    columns: { guild_no: 'number', day: 'number', accounts_opened: 'number', ...MONEY },
  },
  {
    name: 'guild_day_source',
    key: ['guild_no', 'day', 'source'],
    columns: { guild_no: 'number', day: 'number', source: 'text', ...MONEY },
  },
  recordTable(DISCHARGES),
  recordTable(TRANSFERS),
  {
    name: 'verification',
    key: ['chat_id'],
    columns: {
      chat_id: 'text',
      player_id: 'text',
      username: 'text',
      name_key: 'text',
      verified_at: 'number',
    },
  },
  {
    name: 'past_user',
    key: ['chat_id', 'position'],
    columns: { chat_id: 'text', position: 'number', player_id: 'text', username: 'text', name_key: 'text' },
  },
  {
    name: 'command',
    key: ['position'],
    columns: {
      position: 'number',
      category: 'text',
      name: 'text',
      description: 'text',
      extended_help: 'text',
      preconditions: 'text',
    },
  },
  {
    name: 'audit_removed',
    key: ['guild_no'],
    columns: { guild_no: 'number', through_entry_no: 'number' },
  },
  {
    name: 'audit_entry',
    key: ['guild_no', 'entry_no'],
    columns: {
      guild_no: 'number',
      entry_no: 'number',
      created_at: 'number',
      actor_kind: 'text',
      actor_id: 'text',
      action: 'text',
      subject_kind: 'text',
      subject_id: 'text',
      detail: 'text',
    },
  },
  {
    name: 'webhook',
    key: ['guild_no', 'webhook_id'],
    columns: WEBHOOK_COLUMNS,
  },
  {
    name: 'webhook_retry',
    key: ['guild_no', 'webhook_id', 'event_id'],
    columns: {
      guild_no: 'number',
      webhook_id: 'text',
      event_id: 'text',
      type: 'text',
      body: 'text',
      attempts: 'number',
      next_at: 'number',
      event_at: 'number',
    },
  },
  {
    name: 'webhook_attempt',
    key: ['guild_no', 'webhook_id', 'attempt_id'],
    columns: {
      guild_no: 'number',
      webhook_id: 'text',
      attempt_id: 'text',
      event_id: 'text',
      type: 'text',
      at: 'number',
      status: 'number',
      duration_ms: 'number',
      error: 'text',
      payload: 'text',
      answer: 'text',
    },
  },
];
