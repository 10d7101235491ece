import type { BotCommand } from '../../domain/model.ts';
import { CommandsQuery, CommandsReply } from '../../wire/commands.ts';
import { EXAMPLE_COMMAND } from '../../wire/examples.ts';
import { createOptionalKeyAccess } from '../access/key.ts';
import { cachedBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { createCachedBodies } from './cached-bodies.ts';
import type { ApiScope } from './scope.ts';

export const listCommands = {
  operationId: 'listCommands',
  method: 'GET',
  path: '/commands',
  tag: 'Commands',
  summary: 'List bot commands',
  description:
    "The catalogue of the chat bot's commands, in the bot's own order. Public, unless the operator set " +
    '`COMMANDS_REQUIRE_KEY`; then any valid key will do, and the 401 carries only `message`.',
  access: 'public',
  errorShape: 'enveloped-but-401',
  unknownParameters: 'named',
  query: CommandsQuery,
  reply: CommandsReply,
  examples: {
    commands: {
      success: true,
      data: [EXAMPLE_COMMAND],
    },
  },
  errors: [{ code: 'invalid_category' }, { code: 'authentication_required' }],
} satisfies Endpoint;

const ALL = 'all';

export function addListCommands({ add, parts }: ApiScope): void {
  const bodies = createCachedBodies();
  const read = async (category: string | undefined) => commandsBody(await parts.commands.list(category));
  const access = createOptionalKeyAccess(parts.commandsRequireKey, parts);
  add(listCommands, access, ({ query: { category } }) =>
    // Categories are free text, and few ask for one: only the whole catalogue is cached.
    category === undefined
      ? bodies.answer(ALL, parts.store.revision('commands'), () => read(undefined))
      : read(category).then((body) => ({ body })),
  );
}

function commandsBody(commands: readonly BotCommand[]) {
  return cachedBody(commands, () => `{"success":true,"data":[${commands.map(commandText).join(',')}]}`);
}

/** Each field is named: what a store may hold beyond the interface never gets out. */
function commandText(command: BotCommand): string {
  const { category, name, description, extendedHelp, preconditions } = command;
  return JSON.stringify({ category, name, description, extendedHelp, preconditions });
}
