import { enveloped } from './envelope.ts';
import { EXAMPLE_COMMAND } from './examples.ts';
import { blockText, lineText, noteText } from './text.ts';
import { Type } from './type.ts';

export const BotCommand = Type.Object({
  category: lineText('Category of the command.', EXAMPLE_COMMAND.category),
  name: lineText('Command name.', EXAMPLE_COMMAND.name),
  description: blockText('Short description.', EXAMPLE_COMMAND.description),
  extendedHelp: blockText('Long help text.', EXAMPLE_COMMAND.extendedHelp),
  preconditions: Type.Array(noteText('A condition.', 'Verified members only'), {
    maxItems: 50,
    description: 'Conditions for using the command.',
    examples: [EXAMPLE_COMMAND.preconditions],
  }),
});

export const CommandsQuery = Type.Object({
  category: Type.Optional(
    Type.String({
      description: 'Lists one category only, without regard to case. An unknown one gives an empty list.',
      format: 'text-block',
      examples: [EXAMPLE_COMMAND.category],
      'x-type-error': 'invalid_category',
    }),
  ),
});

export const CommandsReply = enveloped(Type.Array(BotCommand));
