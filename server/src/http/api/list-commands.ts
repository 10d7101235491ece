import type { BotCommand } from '../../domain/model.ts';
import { CommandsQuery, CommandsReply } from '../../wire/commands.ts';
import { EXAMPLE_COMMAND } from '../../wire/examples.ts';
import { createOptionalKeyAccess } from '../access/key.ts';
import { cachedBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import type { EndpointParts } from '../endpoint-parts.ts';
import { serve } from '../served.ts';
import { createCachedBodies } from './cached-bodies.ts';

const route = {
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

const createAccess = (parts: EndpointParts) =>
  createOptionalKeyAccess(route, parts.commandsRequireKey, parts);

export const listCommands = serve(route, createAccess, ({ commands, store }) => {
  const bodies = createCachedBodies();
  const read = async (category: string | undefined) => commandsBody(await commands.list(category));
  return ({ query: { category } }) =>
    // Only the whole catalogue is cached: categories are free text, and few requests name one.
    category === undefined
      ? bodies.answer(ALL, store.revision('commands'), () => read(undefined))
      : read(category).then((body) => ({ body }));
});

function commandsBody(commands: readonly BotCommand[]) {
  return cachedBody(commands, () => `{"success":true,"data":[${commands.map(commandText).join(',')}]}`);
}

/** Lists every field, so that no other field of a store gets into the answer. */
function commandText(command: BotCommand): string {
  const { category, name, description, extendedHelp, preconditions } = command;
  return JSON.stringify({ category, name, description, extendedHelp, preconditions });
}
