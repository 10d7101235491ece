import { PersonParams } from './dashboard.ts';
import { NamesQuery } from './dashboard-people.ts';
import { enveloped } from './envelope.ts';
import { nullable, Type } from './type.ts';

// Requests and answers about the pictures of people and guilds.

export const AvatarsQuery = NamesQuery;
export const AvatarsReply = enveloped(
  Type.Array(
    Type.Object({
      chatId: Type.String(),
      playerId: nullable<string>({
        type: 'string',
        description: 'Of the verified person; null without one.',
      }),
      version: Type.String({ description: 'Changes with the picture.' }),
    }),
    { description: 'Those of the accounts whose people have a picture.' },
  ),
);

export const AvatarParams = PersonParams;
/** Any version gets the present picture; with the present version browsers may keep it. */
export const PictureQuery = Type.Object({ v: Type.Optional(Type.Unknown()) });
