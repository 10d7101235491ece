import type { Static, TSchema } from 'typebox';
import { DomainError } from '../domain/errors.ts';
import { decimalText, totalUnits, unitsFromNumber } from '../domain/ledger/amount.ts';
import { toExtra } from '../domain/ledger/ledger.ts';
import {
  ADDED_FIELDS,
  type Change,
  type GuildRef,
  INTERFACE_FIELDS,
  NOTE_FIELDS,
  type PastTransaction,
  type Verification,
} from '../domain/model.ts';
import type { Store } from '../domain/ports.ts';
import {
  ImportedCommand,
  ImportedDischarge,
  ImportedTransaction,
  ImportedTransfer,
  ImportedVerification,
} from '../wire/import-export.ts';
import type { Columns } from './csv.ts';

export const KIND_NAMES = ['discharges', 'transfers', 'verifications', 'commands', 'transactions'] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** The result of one record. */
export type Outcome = 'created' | 'updated' | 'unchanged' | { rejected: string };

/** A kind of record in exports: its form in a file, and how it is read from the store. */
export interface ExportedKind<Outgoing = unknown> {
  /** The columns of a CSV file, in the order of writing. */
  columns: Columns;
  read(store: Store, guild: GuildRef | undefined): AsyncIterable<Outgoing>;
  /** The exported values of a record. Exact numbers are already text. */
  toFields(item: Outgoing): Record<string, unknown>;
}

/** A kind of record that is also imported. */
export interface Kind<Incoming = unknown, Outgoing = Incoming> extends ExportedKind<Outgoing> {
  name: KindName;
  schema: TSchema;
  isGuildOwned: boolean;
  /** Replaces all stored records, so that all new ones must be read before any is written. */
  replacesAll: boolean;
  /** The largest number of records for one call of `write`, and thus for one commit. */
  writeMax(store: Store): number;
  write(
    store: Store,
    guild: GuildRef | undefined,
    items: readonly Incoming[],
    change: Change,
  ): Promise<Outcome[]>;
}

/** Enough to share the wait for the commit, and few enough not to delay other writes. */
const writeMax = () => 500;

const discharges: Kind<Static<typeof ImportedDischarge> & { guildId: string }> = {
  name: 'discharges',
  schema: ImportedDischarge,
  columns: recordColumns('discharge'),
  isGuildOwned: true,
  replacesAll: false,
  writeMax,
  write: (store, guild, items, change) => store.discharges.put(required(guild), items, change),
  read: (store, guild) => store.discharges.read(guild),
  toFields: (item) => ({ ...item }),
};

const transfers: Kind<Static<typeof ImportedTransfer> & { guildId: string }> = {
  name: 'transfers',
  schema: ImportedTransfer,
  columns: recordColumns('transfer'),
  isGuildOwned: true,
  replacesAll: false,
  writeMax,
  write: (store, guild, items, change) =>
    store.transfers.put(
      required(guild),
      items.map((item) => ({ ...item, date: new Date(item.date).toISOString() })),
      change,
    ),
  read: (store, guild) => store.transfers.read(guild),
  toFields: (item) => ({ ...item }),
};

const verifications: Kind<Static<typeof ImportedVerification>, Verification> = {
  name: 'verifications',
  schema: ImportedVerification,
  columns: { ...textColumns('chatId', 'playerId', 'username'), pastUsers: 'json?' },
  isGuildOwned: false,
  replacesAll: false,
  writeMax,
  write: (store, _guild, items, change) => store.verifications.put(items, change),
  read: (store) => store.verifications.read(),
  toFields: (item) => ({ ...item }),
};

const commands: Kind<Static<typeof ImportedCommand>> = {
  name: 'commands',
  schema: ImportedCommand,
  columns: { ...textColumns('category', 'name', 'description', 'extendedHelp'), preconditions: 'json' },
  isGuildOwned: false,
  replacesAll: true,
  writeMax,
  async write(store, _guild, items, change) {
    const outcome = await store.commands.replace(items, change);
    return items.map(() => outcome);
  },
  async *read(store) {
    for (const { category, name, description, extendedHelp, preconditions } of await store.commands.list()) {
      yield { category, name, description, extendedHelp, preconditions };
    }
  },
  toFields: (item) => ({ ...item }),
};

type ImportedTransactionItem = Static<typeof ImportedTransaction> & { guildId: string };

const transactions: Kind<ImportedTransactionItem, PastTransaction> = {
  name: 'transactions',
  schema: ImportedTransaction,
  columns: {
    ...textColumns('guildId', 'playerId', 'transactionId'),
    amount: 'number',
    quantity: 'number',
    ...textColumns('name', 'source'),
    total: 'number',
    createdAt: 'text',
    number: 'number?',
    ...optionalTexts(NOTE_FIELDS),
    metadata: 'json?',
    paymentId: 'text?',
    reverses: 'text?',
  },
  isGuildOwned: true,
  replacesAll: false,
  writeMax: ({ ledger }) => ledger.importMax,
  async write(store, guild, items, { atMs }) {
    const parsed = items.map((item) => toPast(item, atMs + CLOCK_TOLERANCE_MS));
    const good = parsed.flatMap((item) => ('rejected' in item ? [] : [item]));
    const outcomes = (await store.ledger.import(required(guild), good)).values();
    return parsed.map((item) => {
      if ('rejected' in item) {
        return item;
      }
      const outcome = outcomes.next().value;
      if (outcome === undefined || typeof outcome === 'object') {
        return { rejected: outcome?.refused ?? 'not imported' };
      }
      return outcome === 'added' ? 'created' : 'unchanged';
    });
  },
  read: (store, guild) => store.ledger.read(guild),
  toFields(past) {
    return {
      guildId: past.guildId,
      playerId: past.playerId,
      transactionId: past.transactionId,
      amount: exactNumber(past.amountUnits),
      quantity: past.quantity,
      name: past.name,
      source: past.source,
      total: exactNumber(past.totalUnits),
      createdAt: new Date(past.createdAtMs).toISOString(),
      number: past.number,
      ...Object.fromEntries(NOTE_FIELDS.map((name) => [name, past[name]])),
      metadata: past.metadata,
      paymentId: past.paymentId,
      reverses: past.reverses,
    };
  },
};

// A kind only gets its own items, which were checked against its own schema.
const KINDS = { discharges, transfers, verifications, commands, transactions } as unknown as Record<
  KindName,
  Kind
>;

export function kindOf(name: KindName): Kind {
  return KINDS[name];
}

/** A number that JSON.stringify writes with exactly these digits. */
export function exactNumber(units: number): unknown {
  // Node.js has it, but the compiler's library does not declare it yet.
  const { rawJSON } = JSON as JSON & { rawJSON(text: string): unknown };
  return rawJSON(decimalText(units));
}

/** Clocks differ a little. All later posts of an account get at least the time of its last one, so a time further ahead is refused. */
const CLOCK_TOLERANCE_MS = 60_000;

function toPast(item: ImportedTransactionItem, latestMs: number): PastTransaction | { rejected: string } {
  try {
    const { amount, total, createdAt, ...rest } = item;
    const amountUnits = unitsFromNumber('amount', amount);
    if (amountUnits === 0) {
      return { rejected: 'amount must not be zero' };
    }
    const createdAtMs = Date.parse(createdAt);
    if (createdAtMs > latestMs) {
      return { rejected: 'createdAt lies in the future' };
    }
    const units = totalUnits(amountUnits, item.quantity);
    if (total !== undefined && total !== Number(decimalText(units))) {
      return { rejected: 'total must be amount times quantity' };
    }
    const { metadata } = toExtra(item) ?? {};
    return { ...rest, metadata, amountUnits, totalUnits: units, createdAtMs };
  } catch (error) {
    if (error instanceof DomainError) {
      return { rejected: error.detail ?? error.code };
    }
    throw error;
  }
}

function recordColumns(kind: keyof typeof INTERFACE_FIELDS): Columns {
  return { ...textColumns(...INTERFACE_FIELDS[kind]), ...optionalTexts(ADDED_FIELDS[kind]) };
}

function optionalTexts(names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, 'text?' as const]));
}

function textColumns(...names: string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, 'text' as const]));
}

function required(guild: GuildRef | undefined): GuildRef {
  if (guild === undefined) {
    throw new Error('a record of a guild was about to be written without one');
  }
  return guild;
}
