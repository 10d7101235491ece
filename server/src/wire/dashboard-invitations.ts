import { DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { ROLES } from './roles.ts';
import { choice, ID_LENGTH_MAX } from './text.ts';
import { nullable, Type } from './type.ts';

const USES_MAX = 100;
const DAYS_MAX = 30;
const TOKEN_LENGTH_MAX = 100;

const time = (description: string) => Type.String({ description, format: DATE_TIME_FORMAT });

export const InvitationBody = Type.Object({
  role: choice(ROLES),
  uses: Type.Integer({ minimum: 1, maximum: USES_MAX, description: 'People who may accept it.' }),
  days: Type.Integer({ minimum: 1, maximum: DAYS_MAX, description: 'Days after which it expires.' }),
});
export const InvitationParams = Type.Object({
  guildId: Type.String(),
  invitationId: Type.String({ maxLength: ID_LENGTH_MAX }),
});
/** The token is in the body, not in the address, so that no log has it. */
export const AcceptanceBody = Type.Object({
  guildId: Type.String({ minLength: 1, maxLength: ID_LENGTH_MAX }),
  token: Type.String({ minLength: 1, maxLength: TOKEN_LENGTH_MAX }),
});

/** An invitation as the list of roles shows it. */
export const Invitation = Type.Object({
  id: Type.String(),
  role: choice(ROLES),
  usesLeft: Type.Integer({ description: 'People who may still accept it.' }),
  createdBy: Type.Object({
    id: Type.String(),
    name: nullable<string>({ type: 'string', description: 'The name of somebody who signed in before.' }),
  }),
  createdAt: time('When it was made.'),
  expiresAt: time('When it expires.'),
});

export const InvitationReply = enveloped(
  Type.Object({ token: Type.String({ description: 'Part of the link, this once.' }) }),
);
export const AcceptanceReply = enveloped(
  Type.Object({
    guildId: Type.String(),
    role: choice(ROLES),
    isMember: Type.Boolean({
      description: 'False when the person has to join the guild on the chat platform first.',
    }),
  }),
);
