import { enveloped } from './envelope.ts';
import { EXAMPLE_PAST_USER, EXAMPLE_VERIFICATION } from './examples.ts';
import { idText, LINE_FORMAT, lineText, NAME_LENGTH_MAX } from './text.ts';
import { Type } from './type.ts';

/** The longest name with the longest prefix. */
const QUERY_LENGTH_MAX = 'player:'.length + NAME_LENGTH_MAX;

function lookupText(description: string, example: string) {
  return Type.String({
    description,
    minLength: 1,
    maxLength: QUERY_LENGTH_MAX,
    format: LINE_FORMAT,
    examples: [example],
  });
}

export const PastUser = Type.Object({
  playerId: idText('Identifier of the earlier account on the game platform.', EXAMPLE_PAST_USER.playerId),
  username: lineText('User name of the earlier account.', EXAMPLE_PAST_USER.username),
});

export const Verification = Type.Object({
  chatId: idText('Identifier on the chat platform.', EXAMPLE_VERIFICATION.chatId),
  playerId: idText('Identifier on the game platform.', EXAMPLE_VERIFICATION.playerId),
  username: lineText('Current user name.', EXAMPLE_VERIFICATION.username),
  pastUsers: Type.Array(PastUser, { description: 'Earlier game accounts, newest first.' }),
});

export const UserParams = Type.Object({
  query: lookupText(
    'A chatId, a playerId or a user name, tried in this order, then the same among past accounts. ' +
      'Begin with `chat:`, `player:` or `name:` to name the kind. User names match without regard to case.',
    EXAMPLE_VERIFICATION.username,
  ),
});

export const UserReply = enveloped(Verification);
