import { PlayerReply } from './dashboard-ledger.ts';
import { enveloped } from './envelope.ts';
import { Type } from './type.ts';
import { PastUser } from './users.ts';

/** The account of the person who asks. `sources` are those of this account. */
export const OwnAccountReply = enveloped(
  Type.Object({
    ...PlayerReply.properties.data.properties,
    chatId: Type.String({ description: 'The chat account of the person.' }),
    username: Type.String({ description: 'Their verified name.' }),
    pastUsers: Type.Array(PastUser, { description: 'Their other game accounts, newest first.' }),
  }),
);
