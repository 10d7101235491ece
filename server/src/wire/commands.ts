import { Type } from 'typebox';
import { enveloped } from './envelope.ts';
import { blockText, lineText } from './text.ts';

export const BotCommand = Type.Object({
  category: lineText('Category of the command.', 'Economy'),
  name: lineText('Command name.', 'balance'),
  description: blockText('Short description.', 'Shows how much you have.'),
  extendedHelp: blockText('Long help text.', 'Usage: /balance [member]\nWithout a member it shows your own.'),
  preconditions: Type.Array(Type.String(), {
    description: 'Conditions for using the command.',
    examples: [['Verified members only']],
  }),
});

export const CommandsQuery = Type.Object({
  category: Type.Optional(
    Type.String({
      description: 'Lists one category only, without regard to case. An unknown one gives an empty list.',
      format: 'text-block',
      examples: ['Economy'],
      'x-type-error': 'invalid_category',
    }),
  ),
});

export const CommandsReply = enveloped(Type.Array(BotCommand));
