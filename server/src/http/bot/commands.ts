import { catalogueTag } from '../../domain/records/commands.ts';
import { CommandsBody } from '../../wire/bot.ts';
import { CommandsReply } from '../../wire/commands.ts';
import { EXAMPLE_COMMAND } from '../../wire/examples.ts';
import { IfMatchHeaders } from '../../wire/import-export-http.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { BOT, BOT_ENDPOINT, forBot, WRITE_ERRORS } from './for-bot.ts';

const CATALOGUE_BYTES_MAX = 8 * 1024 * 1024;
const EXAMPLE_ETAG = '"mJ0w9qYxA2n5cU8rT1vKbQ"';

const readCommands = {
  ...BOT_ENDPOINT,
  operationId: 'readCommands',
  method: 'GET',
  path: '/bot/commands',
  summary: 'Read the catalogue with its tag',
  description: 'The whole command catalogue, with the `ETag` that a guarded replacement needs.',
  reply: CommandsReply,
  replyHeaders: { ETag: { description: 'Names this very catalogue.', example: EXAMPLE_ETAG } },
  examples: { commands: { success: true, data: [EXAMPLE_COMMAND] } },
  errors: [],
} satisfies Endpoint;

const putCommands = {
  ...readCommands,
  operationId: 'putCommands',
  method: 'PUT',
  summary: 'Replace the catalogue',
  description:
    'Puts a list of commands in the place of the whole catalogue, in one commit. With `If-Match` it does so only while ' +
    'the catalogue still has that tag.',
  headers: IfMatchHeaders,
  body: CommandsBody,
  bodyBytesMax: CATALOGUE_BYTES_MAX,
  errors: [...WRITE_ERRORS, { code: 'commands_changed' }],
} satisfies Endpoint;

export const BOT_COMMAND_ENDPOINTS = [
  forBot(readCommands, ({ commands }) => async () => {
    const data = await commands.written();
    return answerJson({ success: true, data }, etagOf(data));
  }),
  forBot(putCommands, ({ commands }) => async ({ body, request }) => {
    await commands.replace(body, BOT, tagOf(request.raw.headers['if-match']));
    return answerJson({ success: true, data: body }, etagOf(body));
  }),
];

function etagOf(commands: Parameters<typeof catalogueTag>[0]): string[] {
  return ['etag', `"${catalogueTag(commands)}"`];
}

function tagOf(ifMatch: string | undefined): string | undefined {
  return ifMatch === undefined || ifMatch === '*'
    ? undefined
    : ifMatch.replace(/^W\//, '').replaceAll('"', '');
}
