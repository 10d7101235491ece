import type { Static } from 'typebox';
import { AuditEntry, IMPORT_MAX, IMPORT_OPTIONS } from './dashboard-records.ts';
import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped, envelopedOrNull } from './envelope.ts';
import { EXAMPLE_VERIFICATION } from './examples.ts';
import { ListingQuery } from './ledger.ts';
import { Discharge, Transfer } from './records.ts';
import { choice, exact, idText, lineText, NAME_LENGTH_MAX, NOTE_FORMAT } from './text.ts';
import { nullable, Type } from './type.ts';
import { PastUser, Verification } from './users.ts';

// Requests and answers of the pages about people, and of the search of every page.

const CURSOR_LENGTH_MAX = 1_024;
const { limit } = ListingQuery.properties;

const searchText = (description: string) =>
  Type.String({ description, maxLength: NAME_LENGTH_MAX, format: NOTE_FORMAT });

const listed = {
  query: Type.Optional(searchText('Part of a name, present or past, of a player’s id or of a chat id.')),
  state: Type.Optional(choice(['verified', 'unverified', 'overdrawn'])),
  sortBy: choice(['balance', 'name', 'transactions'], { default: 'balance' }),
  sortOrder: choice(['asc', 'desc'], { default: 'desc' }),
};

export const MemberExportQuery = Type.Object({ ...listed, exact });
export const MemberListQuery = Type.Object({
  ...listed,
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: CURSOR_LENGTH_MAX })),
  limit,
});

const Member = Type.Object({
  playerId: Type.String(),
  name: nullable<string>({
    type: 'string',
    description: 'The verified name; without one, the name in one of the records.',
  }),
  chatId: nullable<string>({ type: 'string', description: 'Of the verified person; null without one.' }),
  username: nullable<string>({ type: 'string', description: 'Their name; null without one.' }),
  pastUsers: Type.Array(PastUser, {
    description: 'Their other game accounts, newest first; with a plan only.',
  }),
  formerOf: nullable<{ chatId: string; playerId: string; username: string }>({
    type: 'object',
    required: ['chatId', 'playerId', 'username'],
    properties: { chatId: Type.String(), playerId: Type.String(), username: Type.String() },
    description: 'The person who had this game account before; with a plan only.',
  }),
  balance: Type.String(),
  transactions: Type.Integer(),
  discharges: Type.Integer(),
  transfers: Type.Integer(),
});

export const MembersReply = enveloped(
  Type.Object({
    members: Type.Array(Member),
    nextCursor: nullable<string>({
      type: 'string',
      description: 'Cursor of the next page; null at the end.',
    }),
    total: nullable<number>({
      type: 'integer',
      description: 'Number of matches on all pages; null in a guild with more than 10,000 accounts.',
    }),
  }),
);

export const MemberParams = Type.Object({
  guildId: Type.String(),
  playerId: idText('The player.', EXAMPLE_VERIFICATION.playerId),
});

/** Null when the guild has neither an account nor a record of the player. */
export const ProfileReply = envelopedOrNull(
  Type.Object({
    member: Member,
    /** The person's accounts, the present one first, with this guild's data about each. */
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
    discharges: Type.Array(Discharge, { description: 'The newest, at most 10.' }),
    transfers: Type.Array(Transfer, { description: 'The newest, at most 10.' }),
  }),
);

/** The newest changes of what belongs to a person. */
export const PersonHistoryReply = enveloped(Type.Object({ entries: Type.Array(AuditEntry) }));

const ids = (id: ReturnType<typeof idText>) => Type.Optional(Type.Array(id, { minItems: 1, maxItems: 100 }));

export const NamesQuery = Type.Object({
  playerIds: ids(idText('A game account.', EXAMPLE_VERIFICATION.playerId)),
  chatIds: ids(idText('A chat account.', EXAMPLE_VERIFICATION.chatId)),
});
export const NamesReply = enveloped(
  Type.Array(Type.Object({ chatId: Type.String(), playerId: Type.String(), username: Type.String() }), {
    description: 'Those of the accounts that belong to a verified person.',
  }),
);

export const LinkBody = Type.Object({
  chatId: idText('The chat account of this player.', EXAMPLE_VERIFICATION.chatId),
  username: lineText('The name of the game account.', EXAMPLE_VERIFICATION.username),
});
export const LinkReply = enveloped(Verification);

/** Verifies many members in one commit. */
export const LinkImportBody = Type.Object({
  verifications: Type.Array(
    Type.Object({
      playerId: idText('The player.', EXAMPLE_VERIFICATION.playerId),
      ...LinkBody.properties,
    }),
    { minItems: 1, maxItems: IMPORT_MAX },
  ),
  ...IMPORT_OPTIONS,
});
/** The result of each, in the given order. `unknown`: the guild does not know the player, so nothing is written. */
export const LinkImportReply = enveloped(
  Type.Object({ outcomes: Type.Array(choice(['created', 'updated', 'unchanged', 'exists', 'unknown'])) }),
);

export const SearchQuery = Type.Object({
  query: Type.Optional(
    searchText('Part of a name, an id or a key’s name, or the beginning of a transaction’s id.'),
  ),
});

/** At most eight results of each kind. */
export const SearchReply = enveloped(
  Type.Object({
    members: Type.Array(Member),
    stranger: nullable<Static<typeof Verification>>({
      type: 'object',
      required: ['chatId', 'playerId', 'username', 'pastUsers'],
      properties: Verification.properties,
      description:
        'A verified person with exactly this id or name whom the guild does not know yet; with a plan only.',
    }),
    discharges: Type.Array(Discharge),
    transfers: Type.Array(Transfer),
    transactions: Type.Array(
      Type.Object({
        transactionId: Type.String(),
        playerId: Type.String(),
        name: Type.String(),
        total: Type.String(),
        createdAt: Type.String({ format: DATE_TIME_FORMAT }),
      }),
    ),
    keys: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'For those who may see keys.',
    }),
  }),
);
