import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { KEY_SCOPES } from './keys.ts';
import { choice, ID_LENGTH_MAX, LINE_FORMAT } from './text.ts';
import { Type } from './type.ts';

const KEY_NAME_LENGTH_MAX = 100;

const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description });
const time = (description: string) => Type.String({ description, format: DATE_TIME_FORMAT });

/** Anything is let through: what is no local path of the dashboard leads to its first page. */
export const SignInQuery = Type.Object({ returnTo: Type.Optional(Type.Unknown()) });

/** Anything is let through: what does not fit is a failed sign-in, and is answered with a page. */
export const CallbackQuery = Type.Object({
  state: Type.Optional(Type.Unknown()),
  code: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Unknown()),
});

/** Whether a guild is there is for the guard to say, in the same words for all that are not. */
export const DashboardGuildParams = Type.Object({ guildId: Type.String() });
export const DashboardKeyParams = Type.Object({
  guildId: Type.String(),
  keyId: Type.String({ maxLength: ID_LENGTH_MAX }),
});

export const NewKeyBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: KEY_NAME_LENGTH_MAX, format: LINE_FORMAT }),
  scopes: Type.Array(choice(KEY_SCOPES), { minItems: 1, maxItems: KEY_SCOPES.length }),
  expiresAt: time('When the key ends.'),
});

const Key = Type.Object({
  id: Type.String(),
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the value.' }),
  scopes: Type.Array(choice(KEY_SCOPES)),
  createdBy: Type.Object({
    kind: choice(['key', 'user', 'bot', 'operator']),
    id: Type.String(),
    name: nullableText('The name of a user who signed in before.'),
  }),
  createdAt: time('When it was made.'),
  expiresAt: time('When it ends.'),
  lastUsedAt: nullableText('When it was last used; null for never.'),
  state: choice(['active', 'expiring', 'expired'], { description: 'Expiring: within 14 days.' }),
});

export const KeysReply = enveloped(Type.Array(Key));
export const NewKeyReply = enveloped(
  Type.Object({ key: Type.String({ description: 'The value, this once.' }), ...Key.properties }),
);

export const SessionReply = enveloped(
  Type.Object({
    user: Type.Object({ chatId: Type.String(), name: Type.String(), avatar: nullableText('The picture.') }),
    csrfToken: Type.String({ description: 'To be sent as x-csrf-token with every change.' }),
    expiresAt: time('When the session ends at the latest.'),
    keyLifetimeDaysMax: Type.Integer({ description: 'How many days ahead a new key may end.' }),
  }),
);

export const GuildsReply = enveloped(
  Type.Array(
    Type.Object({
      guildId: Type.String(),
      name: Type.String(),
      icon: nullableText('The picture.'),
      role: choice(['owner', 'admin', 'manager']),
      state: choice(['ready', 'unknown', 'no-plan']),
      plan: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
      planUntil: nullableText('When the plan ends; null for never.'),
    }),
  ),
);

export const DoneReply = Type.Object({ success: Type.Literal(true), message: Type.String() });
