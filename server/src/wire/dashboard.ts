import { KEEP_ALL_HOURS_MAX, SCOPES } from '../key-terms.ts';
import { LANGUAGES, type Language } from '../texts/language.ts';
import { Invitation } from './dashboard-invitations.ts';
import { Preferences, TIME_ZONE_LENGTH_MAX } from './dashboard-preferences.ts';
import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { KeyLimits, RouteLimits } from './keys.ts';
import { ACTION_NAMES, ROLES, type Role } from './roles.ts';
import { BLOCK_FORMAT, choice, ID_LENGTH_MAX, LINE_FORMAT } from './text.ts';
import { nullable, Type } from './type.ts';

const KEY_NAME_LENGTH_MAX = 100;
const CURRENCY_NAME_LENGTH_MAX = 32;
const CURRENCY_SYMBOL_LENGTH_MAX = 8;
const KEY_NOTE_LENGTH_MAX = 1_000;
const NETWORKS_MAX = 32;
const NETWORK_LENGTH_MAX = 50;
const OVERLAP_HOURS_MAX = 7 * 24;

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
/** The address of a picture contains it, so that browsers load a new picture. */
const pictureVersion = nullableText('Version of the picture; null without one.');
const time = (description: string) => Type.String({ description, format: DATE_TIME_FORMAT });

/** Accepts any value: one that is no path of the dashboard leads to its first page. */
export const SignInQuery = Type.Object({ returnTo: Type.Optional(Type.Unknown()) });

/** Accepts any value: an invalid one is a failed sign-in, which is answered with a page. */
export const CallbackQuery = Type.Object({
  state: Type.Optional(Type.Unknown()),
  code: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
});

/** Accepts any text: the access check gives the same error for every guild that is unknown or closed to the person. */
export const DashboardGuildParams = Type.Object({ guildId: Type.String() });
export const DashboardKeyParams = Type.Object({
  guildId: Type.String(),
  keyId: Type.String({ maxLength: ID_LENGTH_MAX }),
});

const keyName = Type.String({ minLength: 1, maxLength: KEY_NAME_LENGTH_MAX, format: LINE_FORMAT });

/** The note and the restrictions of a key. */
const keySettings = {
  note: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: KEY_NOTE_LENGTH_MAX,
      format: BLOCK_FORMAT,
      description: 'null removes it.',
    }),
  ),
  networks: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: NETWORK_LENGTH_MAX, format: LINE_FORMAT }), {
      maxItems: NETWORKS_MAX,
      description: 'Where the key may be used from; none for anywhere.',
    }),
  ),
  limits: Type.Optional(KeyLimits),
  routeLimits: Type.Optional(RouteLimits),
};

/** Missing fields keep their values. */
export const KeySettingsBody = Type.Object({
  name: Type.Optional(keyName),
  ...keySettings,
  keepAllHours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: KEEP_ALL_HOURS_MAX,
      description: 'Keeps all requests of the key for this time; 0 keeps only the refused ones.',
    }),
  ),
});

export const KeyRotationBody = Type.Object({
  overlapHours: Type.Integer({
    minimum: 0,
    maximum: OVERLAP_HOURS_MAX,
    description: 'How long the previous value stays valid.',
  }),
});

export const NewKeyBody = Type.Object({
  name: keyName,
  scopes: Type.Array(choice(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
  expiresAt: time('When the key ends.'),
  ...keySettings,
});

const Key = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the value.' }),
  scopes: Type.Array(choice(SCOPES)),
  createdBy: Type.Object({
    kind: choice(['key', 'user', 'bot', 'operator']),
    id: Type.String(),
    name: nullableText('The name of a user who signed in before.'),
  }),
  createdAt: time('When it was made.'),
  expiresAt: time('When it ends.'),
  lastUsedAt: nullableText('When it was last used; null for never.'),
  state: choice(['active', 'expiring', 'expired'], { description: 'Expiring: within 14 days.' }),
  note: nullableText('Note about it.'),
  networks: Type.Array(Type.String(), { description: 'Where it may be used from; none for anywhere.' }),
  limits: KeyLimits,
  routeLimits: RouteLimits,
  formerUntil: nullableText('Time until which the previous value is valid; null for none.'),
  keepsAllUntil: nullableText(
    'Time until which all of its requests are kept; null when only the refused ones are.',
  ),
});

export const KeysReply = enveloped(Type.Array(Key));
export const KeyChangedReply = enveloped(Key);
export const KeyUsageReply = enveloped(
  Type.Array(
    Type.Object({
      day: Type.String({ description: 'The day in UTC, such as 2027-01-31.' }),
      answered: Type.Integer({ description: 'Requests that were not refused.' }),
      refused: Type.Array(Type.Object({ code: Type.String(), count: Type.Integer() })),
    }),
    { description: 'The last 30 days in order, days without requests included.' },
  ),
);
export const NewKeyReply = enveloped(
  Type.Object({ key: Type.String({ description: 'The value, this once.' }), ...Key.properties }),
);

export const AboutReply = enveloped(
  Type.Object({ command: Type.String({ description: 'How the operator calls the command line.' }) }),
);

export const SessionReply = enveloped(
  Type.Object({
    user: Type.Object({ chatId: Type.String(), name: Type.String(), avatar: pictureVersion }),
    csrfToken: Type.String({ description: 'To be sent as x-csrf-token with every change.' }),
    expiresAt: time('When the session ends at the latest.'),
    keyLifetimeDaysMax: Type.Integer({ description: 'Longest time to live of a new key, in days.' }),
    trustsProxy: Type.Boolean({ description: 'True when client addresses are taken from a trusted proxy.' }),
    preferences: Preferences,
    editsVerifications: Type.Boolean({ description: 'Whether guilds may change who is verified as whom.' }),
  }),
);

/** The display of a guild's amounts; null for the default. */
const GuildDisplay = Type.Object({
  currencyName: nullableText('Name of the currency, such as gold.'),
  currencySymbol: nullableText('Sign shown before an amount.'),
  decimalsShown: nullable<number>({ type: 'integer', description: 'From 0 to 4.' }),
});

const displayText = (description: string, maxLength: number) =>
  Type.Optional(
    nullable<string>({ type: 'string', minLength: 1, maxLength, format: LINE_FORMAT, description }),
  );

/** Missing fields keep their values; null clears them. */
export const GuildSettingsBody = Type.Object({
  currencyName: displayText('Name of the currency, such as gold.', CURRENCY_NAME_LENGTH_MAX),
  currencySymbol: displayText('Sign shown before an amount.', CURRENCY_SYMBOL_LENGTH_MAX),
  decimalsShown: Type.Optional(
    nullable<number>({ type: 'integer', minimum: 0, maximum: 4, description: 'From 0 to 4.' }),
  ),
  overdraftAllowed: Type.Optional(Type.Boolean()),
  sealPublic: Type.Optional(Type.Boolean()),
  ownAccounts: Type.Optional(Type.Boolean()),
  timeZone: displayText(
    'Calendar of the days of the guild, such as Europe/Berlin; null is UTC.',
    TIME_ZONE_LENGTH_MAX,
  ),
  language: Type.Optional(
    Type.Unsafe<Language | null>({
      enum: [...LANGUAGES, null],
      description: 'Language of its channel messages, board and chat replies; null is English.',
    }),
  ),
});
const timeZone = Type.String({ description: 'Calendar of the days of the guild.' });
const language = choice(LANGUAGES, {
  description: 'Language of its channel messages, board and chat replies.',
});
const sealPublic = Type.Boolean({ description: 'Whether everybody may read the checkpoints of its ledger.' });
const ownAccounts = Type.Boolean({ description: 'Whether verified members may see their own account.' });
export const GuildSettingsReply = enveloped(
  Type.Object({
    overdraftAllowed: Type.Boolean(),
    sealPublic,
    ownAccounts,
    timeZone,
    language,
    display: GuildDisplay,
  }),
);

export const GuildsReply = enveloped(
  Type.Array(
    Type.Object({
      guildId: Type.String(),
      name: Type.String(),
      icon: pictureVersion,
      standing: choice(['owner', 'admin', 'manager', 'member'], {
        description: 'Role of the person in the guild on the chat platform.',
      }),
      role: Type.Unsafe<Role | null>({
        enum: [...ROLES, null],
        description: 'Null for a member who sees nothing but their own account.',
      }),
      hasOwnAccount: Type.Boolean({ description: 'Whether the person may see their own account there.' }),
      may: Type.Array(choice(ACTION_NAMES), { description: 'Rights of the person.' }),
      state: choice(['ready', 'unknown', 'no-plan']),
      plan: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      planUntil: nullableText('When the plan ends; null for never.'),
      overdraftAllowed: Type.Boolean({ description: 'Whether withdrawals may take a balance below zero.' }),
      sealPublic,
      ownAccounts,
      timeZone,
      language,
      display: GuildDisplay,
    }),
  ),
);

export const DoneReply = Type.Object({ success: Type.Literal(true), message: Type.String() });

const roleId = Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX, format: LINE_FORMAT });
export const ChatRoleParams = Type.Object({ guildId: Type.String(), chatRoleId: roleId });
export const PersonParams = Type.Object({ guildId: Type.String(), chatId: roleId });
export const ChatRoleBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: KEY_NAME_LENGTH_MAX, format: LINE_FORMAT }),
  role: choice(ROLES),
});
export const PersonBody = Type.Object({ role: choice(ROLES) });

export const RolesReply = enveloped(
  Type.Object({
    chatRoles: Type.Array(
      Type.Object({ chatRoleId: Type.String(), name: Type.String(), role: choice(ROLES) }),
    ),
    people: Type.Array(
      Type.Object({
        chatId: Type.String(),
        name: nullableText(
          'Null for somebody who never signed in, is not verified, and whom the chat platform does not name.',
        ),
        role: choice(ROLES),
        invitedBy: Type.Object({ id: Type.String(), name: nullableText('The same.') }),
        createdAt: time('When.'),
      }),
    ),
    invitations: Type.Array(Invitation),
    others: Type.Array(
      Type.Object({
        chatId: Type.String(),
        name: Type.String(),
        role: choice(ROLES),
        through: Type.Object({
          kind: choice(['platform', 'chat-role']),
          name: Type.String({ description: 'Standing on the chat platform, or name of the chat role.' }),
        }),
        seenAt: time('When they were last seen.'),
      }),
      { description: 'Signed-in people whose role comes from the chat platform or from a chat role.' },
    ),
  }),
);
