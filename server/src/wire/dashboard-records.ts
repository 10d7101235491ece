import type { TSchema } from 'typebox';
import { DATE_FORMAT, DATE_TIME_FORMAT, DAY_FORMAT } from './dates.ts';
import { enveloped, envelopedOrNull } from './envelope.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_TRANSFER } from './examples.ts';
import { ListingQuery, Pagination } from './ledger.ts';
import { Discharge, Transfer } from './records.ts';
import { ACTOR_FORMAT, choice, exact, ID_LENGTH_MAX, idText, NAME_LENGTH_MAX, NOTE_FORMAT } from './text.ts';
import { Type } from './type.ts';
import { Verification } from './users.ts';

// Requests and answers of the pages for records, people and the audit log.

export const AUDIT_KINDS = [
  'guild',
  'key',
  'discharge',
  'transfer',
  'transaction',
  'account',
  'verification',
  'commands',
  'webhook',
  'role',
] as const;

const nullable = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const day = (description: string) => Type.Optional(Type.String({ description, format: DAY_FORMAT }));
const { page, limit, sortOrder } = ListingQuery.properties;

const recordFilters = {
  query: Type.Optional(
    Type.String({
      description: 'Part of a name, of the id, of the player or of the chat account, without regard to case.',
      maxLength: NAME_LENGTH_MAX,
      format: NOTE_FORMAT,
    }),
  ),
  since: day('First day, in UTC.'),
  until: day('Last day, in UTC, included.'),
  sortBy: choice(['date', 'name'], { default: 'date' }),
  sortOrder,
};
const typeFilter = Type.Optional(
  Type.String({ description: 'Only this kind.', maxLength: NAME_LENGTH_MAX, format: NOTE_FORMAT }),
);

const dischargeFilters = { ...recordFilters, type: typeFilter };
export const DischargeExportQuery = Type.Object({ ...dischargeFilters, exact });
export const DischargeListQuery = Type.Object({ page, limit, ...dischargeFilters });
export const TransferExportQuery = Type.Object({ ...recordFilters, exact });
export const TransferListQuery = Type.Object({ page, limit, ...recordFilters });

export const DischargeListReply = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    discharges: Type.Array(Discharge),
    types: Type.Array(Type.String(), {
      description: "The guild's kinds of discharge, at most 50, in order.",
    }),
  }),
  pagination: Pagination,
});
export const TransferListReply = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ transfers: Type.Array(Transfer) }),
  pagination: Pagination,
});

export const DashboardDischargeParams = Type.Object({
  guildId: Type.String(),
  dischargeId: idText('The discharge.', EXAMPLE_DISCHARGE.id),
});
export const DashboardTransferParams = Type.Object({
  guildId: Type.String(),
  transferId: idText('The transfer.', EXAMPLE_TRANSFER.id),
});

const { id: dischargeId, guildId: _dischargeGuild, ...dischargeFields } = Discharge.properties;
const { id: transferId, guildId: _transferGuild, ...transferFields } = Transfer.properties;

/** Without an id one is generated. An id that is taken is refused. */
export const NewDischargeBody = Type.Object({ id: Type.Optional(dischargeId), ...dischargeFields });
export const DischargeBody = Type.Object(dischargeFields);
export const NewTransferBody = Type.Object({ id: Type.Optional(transferId), ...transferFields });
export const TransferBody = Type.Object(transferFields);

export const IMPORT_MAX = 1_000;
/** Options of every import of a file. */
export const IMPORT_OPTIONS = {
  overwrite: Type.Optional(Type.Boolean({ description: 'Replaces what is there already.' })),
  check: Type.Optional(Type.Boolean({ description: 'Writes nothing; the answer says what would happen.' })),
};
const importOf = <Item extends TSchema>(item: Item) =>
  Type.Object({ records: Type.Array(item, { minItems: 1, maxItems: IMPORT_MAX }), ...IMPORT_OPTIONS });
export const DischargeImportBody = importOf(NewDischargeBody);
export const TransferImportBody = importOf(NewTransferBody);
/** The result of each record, in the given order. All are written in one commit; `exists` is left as it is. */
export const RecordImportReply = enveloped(
  Type.Object({ outcomes: Type.Array(choice(['created', 'updated', 'unchanged', 'exists'])) }),
);

export const DashboardDischargeReply = enveloped(Discharge);
export const DashboardTransferReply = enveloped(Transfer);
export const ShownDischargeReply = envelopedOrNull(Discharge);
export const ShownTransferReply = envelopedOrNull(Transfer);

/** The schemas of the routes of each kind. */
export const DISCHARGE_PAGES = {
  params: DashboardDischargeParams,
  listQuery: DischargeListQuery,
  exportQuery: DischargeExportQuery,
  newBody: NewDischargeBody,
  importBody: DischargeImportBody,
  body: DischargeBody,
  reply: DashboardDischargeReply,
  shownReply: ShownDischargeReply,
  listReply: DischargeListReply,
};
export const TRANSFER_PAGES = {
  params: DashboardTransferParams,
  listQuery: TransferListQuery,
  exportQuery: TransferExportQuery,
  newBody: NewTransferBody,
  importBody: TransferImportBody,
  body: TransferBody,
  reply: DashboardTransferReply,
  shownReply: ShownTransferReply,
  listReply: TransferListReply,
};

/**
 * As in the interface: `chat:`, `player:` and `name:` select the kind; without a prefix, each kind is tried in turn.
 */
export const PersonQuery = Type.Object({
  query: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX + 7, format: NOTE_FORMAT }),
});
/** Null when nobody is verified under the query. */
export const PersonReply = envelopedOrNull(
  Type.Object({
    ...Verification.properties,
    /** This guild's data about the person, for the present account and the past ones. */
    accounts: Type.Array(
      Type.Object({
        playerId: Type.String(),
        username: Type.String(),
        isCurrent: Type.Boolean(),
        balance: Type.String(),
        transactions: Type.Integer(),
        discharges: Type.Integer(),
        transfers: Type.Integer(),
      }),
    ),
  }),
);

const end = (description: string) => Type.Optional(Type.String({ description, format: DATE_FORMAT }));

const auditFilters = {
  actor: Type.Optional(
    Type.String({
      description: 'Who: the kind, a colon and the id, such as `user:4711`.',
      maxLength: ID_LENGTH_MAX + 9,
      format: ACTOR_FORMAT,
    }),
  ),
  kind: Type.Optional(choice(AUDIT_KINDS)),
  subject: Type.Optional(
    Type.String({
      description: 'The id of one subject of the kind.',
      minLength: 1,
      maxLength: NAME_LENGTH_MAX,
    }),
  ),
  action: Type.Optional(choice(['create', 'update', 'delete'])),
  since: end('First day, in UTC, or first moment.'),
  until: end('Last day, in UTC, included, or the moment with which the range ends.'),
};

export const AuditQuery = Type.Object({
  limit,
  before: Type.Optional(Type.Integer({ description: 'Entries older than this one.', minimum: 1 })),
  ...auditFilters,
});
export const AuditExportQuery = Type.Object({ ...auditFilters, exact });

const Actor = Type.Object({
  kind: choice(['key', 'user', 'bot', 'operator']),
  id: Type.String(),
  name: nullable('The name of a key, or of a user who signed in before.'),
});

export const AuditEntry = Type.Object({
  entryNo: Type.Integer(),
  createdAt: Type.String({ format: DATE_TIME_FORMAT }),
  actor: Actor,
  action: choice(['create', 'update', 'delete']),
  subject: Type.Object({
    kind: choice(AUDIT_KINDS),
    id: Type.String(),
    person: nullable('Present name of the person it is about.'),
  }),
  /** The changed fields before and after the change. */
  detail: Type.Object({
    before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
});

export const AuditReply = enveloped(
  Type.Object({
    entries: Type.Array(AuditEntry),
    next: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'The `before` of the next page; null at the end.',
    }),
    actors: Type.Array(Actor, {
      description: 'Everybody in the part of the log that the reader sees, at most 100, for the filter.',
    }),
    kinds: Type.Array(choice(AUDIT_KINDS), { description: 'The kinds of entries that the reader sees.' }),
  }),
);

/** Ids that exist in the guild, for use in examples; null where there is none yet. */
export const SamplesReply = enveloped(
  Type.Object({
    playerId: nullable('A player with an account.'),
    dischargeId: nullable('A discharge.'),
    transferId: nullable('A transfer.'),
    username: nullable('A verified name among the players.'),
  }),
);
