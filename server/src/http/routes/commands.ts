import type { FastifyInstance } from 'fastify';
import type { Commands } from '../../domain/commands.ts';
import { CommandsQuery, CommandsReply } from '../../wire/commands.ts';
import { EXAMPLE_COMMAND } from '../../wire/examples.ts';
import { commandsBody } from '../answer-text.ts';
import { addEndpoint, type Endpoint, sendBody } from '../endpoint.ts';
import { createOptionalGuard, type GuardParts } from '../guard.ts';

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

export function addCommandRoutes(
  app: FastifyInstance,
  parts: GuardParts & { commands: Commands; commandsRequireKey: boolean },
): void {
  const guard = createOptionalGuard(parts.commandsRequireKey, parts);
  addEndpoint(app, listCommands, guard, async (request, reply) =>
    sendBody(reply, commandsBody(await parts.commands.list(request.query.category))),
  );
}
