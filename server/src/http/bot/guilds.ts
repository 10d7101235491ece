import type { Guild } from '../../domain/model.ts';
import { GuildBody, GuildParams, GuildReply, GuildsReply } from '../../wire/bot.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_VERIFICATION } from '../../wire/examples.ts';
import { answerJson } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import {
  assertSame,
  BOT,
  BOT_ENDPOINT,
  badAddress,
  forBot,
  RECORD_BYTES_MAX,
  WRITE_ERRORS,
} from './for-bot.ts';

const EXAMPLE_GUILD = {
  guildId: EXAMPLE_DISCHARGE.guildId,
  name: 'The Emberhold Vanguard',
  icon: null,
  ownerChatId: EXAMPLE_VERIFICATION.chatId,
  plan: 'enterprise',
  planUntil: '2027-12-31T00:00:00.000Z',
  settings: { overdraftAllowed: true },
  createdAt: '2026-01-05T09:30:00.000Z',
};

const listGuilds = {
  ...BOT_ENDPOINT,
  operationId: 'listGuilds',
  method: 'GET',
  path: '/bot/guilds',
  summary: 'List the guilds',
  description: 'All guilds that the service knows, by id.',
  reply: GuildsReply,
  examples: { guilds: { success: true, data: [EXAMPLE_GUILD] } },
  errors: [],
} satisfies Endpoint;

const getGuild = {
  ...BOT_ENDPOINT,
  operationId: 'getGuild',
  method: 'GET',
  path: '/bot/guilds/{guildId}',
  summary: 'Read a guild',
  description: 'The guild with its plan and settings.',
  params: GuildParams,
  reply: GuildReply,
  examples: { guild: { success: true, data: EXAMPLE_GUILD } },
  errors: [badAddress('guildId'), { code: 'guild_not_found' }],
} satisfies Endpoint;

const putGuild = {
  ...BOT_ENDPOINT,
  operationId: 'putGuild',
  method: 'PUT',
  path: '/bot/guilds/{guildId}',
  summary: 'Set up a guild',
  description: 'Creates a guild, or changes what is given and leaves the rest.',
  params: GuildParams,
  body: GuildBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: GuildReply,
  examples: { guild: { success: true, data: EXAMPLE_GUILD } },
  errors: WRITE_ERRORS,
} satisfies Endpoint;

export const BOT_GUILD_ENDPOINTS = [
  forBot(
    listGuilds,
    ({ guilds }) =>
      async () =>
        answerJson({ success: true, data: (await guilds.list()).map(toWire) }),
  ),
  forBot(
    getGuild,
    ({ guilds }) =>
      async ({ params: { guildId } }) =>
        answerJson({ success: true, data: toWire(await guilds.find(guildId)) }),
  ),
  forBot(putGuild, ({ guilds }) => async ({ params, body }) => {
    assertSame(params, body);
    const { name, icon, ownerChatId, plan, planUntil, settings } = body;
    const guild = await guilds.set(
      {
        guildId: params.guildId,
        name,
        icon,
        ownerChatId,
        plan,
        planUntilMs: typeof planUntil === 'string' ? Date.parse(planUntil) : planUntil,
        overdraftAllowed: settings?.overdraftAllowed,
      },
      BOT,
    );
    return answerJson({ success: true, data: toWire(guild) });
  }),
];

function toWire(guild: Guild): object {
  return {
    guildId: guild.guildId,
    name: guild.name,
    icon: guild.icon ?? null,
    ownerChatId: guild.ownerChatId ?? null,
    plan: guild.plan,
    planUntil: guild.planUntilMs === undefined ? null : new Date(guild.planUntilMs).toISOString(),
    settings: { overdraftAllowed: guild.overdraftAllowed },
    createdAt: new Date(guild.createdAtMs).toISOString(),
  };
}
