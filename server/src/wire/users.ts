import { Type } from 'typebox';
import { enveloped } from './envelope.ts';
import { idText, lineText } from './text.ts';

export const PastUser = Type.Object({
  playerId: idText('Identifier of the earlier account on the game platform.', '31177205'),
  username: lineText('User name of the earlier account.', 'rowan77'),
});

export const Verification = Type.Object({
  chatId: idText('Identifier on the chat platform.', '302817465920118784'),
  playerId: idText('Identifier on the game platform.', '48213977'),
  username: lineText('Current user name.', 'Rowan_Ashford'),
  pastUsers: Type.Array(PastUser, { description: 'Earlier game accounts, newest first.' }),
});

export const UserParams = Type.Object({
  query: idText(
    'A chatId, a playerId or a user name, tried in this order, then the same among past accounts. ' +
      'Begin with `chat:`, `player:` or `name:` to name the kind. User names match without regard to case.',
    'Rowan_Ashford',
  ),
});

export const UserReply = enveloped(Verification);
