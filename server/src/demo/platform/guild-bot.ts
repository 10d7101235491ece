import type { DemoOptions } from './grants.ts';

export const BOT_PATH = /^\/api\/guilds\/([^/]+)\/(roles|members)$/;
const PAGE_MAX = 1_000;

/** Answers a bot's questions about the roles and members of a guild, page by page, as Discord does. */
export function answerBot(
  { guilds = [], botToken }: DemoOptions,
  authorization: string | undefined,
  { asked, query }: { asked: RegExpExecArray; query: URLSearchParams },
): { status: number; body: object } {
  if (botToken === undefined || authorization !== `Bot ${botToken}`) {
    return { status: 401, body: { message: '401: Unauthorized', code: 0 } };
  }
  const guildId = decodeURIComponent(asked[1] ?? '');
  const guild = guilds.find((one) => one.guildId === guildId);
  if (guild === undefined) {
    return { status: 403, body: { message: 'Missing Access', code: 50_001 } };
  }
  if (asked[2] === 'roles') {
    return { status: 200, body: [{ id: guildId, name: '@everyone' }, ...guild.roles] };
  }
  const after = BigInt(query.get('after') ?? '0');
  const limit = Math.min(Number(query.get('limit') ?? '1'), PAGE_MAX);
  const members = guild.members
    .filter(({ chatId }) => BigInt(chatId) > after)
    .toSorted((one, other) => (BigInt(one.chatId) < BigInt(other.chatId) ? -1 : 1))
    .slice(0, limit);
  return {
    status: 200,
    body: members.map(({ chatId, username, avatar = null, roles }) => ({
      user: { id: chatId, username, global_name: username, avatar },
      nick: null,
      roles,
    })),
  };
}
