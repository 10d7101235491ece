import { DomainError } from '../../domain/errors.ts';
import type { FoundPicture } from '../../domain/people/guild-avatars.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { AvatarParams, AvatarsQuery, AvatarsReply, PictureQuery } from '../../wire/dashboard-pictures.ts';
import { type Answer, answerJson, toBody } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import type { HttpRequest } from '../request.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const KEPT_SECONDS = 86_400;
const GUILD = '/dashboard/api/guilds/{guildId}';

/** The bytes come from another host, so browsers may only show them as a picture, on our own pages. */
const PICTURE_HEADERS = [
  'cache-control',
  'no-store',
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "default-src 'none'",
  'cross-origin-resource-policy',
  'same-origin',
];

const PICTURE_ROUTE = { ...SESSION_ROUTE, method: 'GET', isOfPictures: true } as const;

const listAvatars = {
  ...PICTURE_ROUTE,
  path: `${GUILD}/avatars`,
  params: DashboardGuildParams,
  query: AvatarsQuery,
  reply: AvatarsReply,
} satisfies Route;

const showAvatar = {
  ...PICTURE_ROUTE,
  path: `${GUILD}/avatars/{chatId}`,
  params: AvatarParams,
  query: PictureQuery,
  fixedHeaders: PICTURE_HEADERS,
} satisfies Route;

const showIcon = {
  ...showAvatar,
  path: `${GUILD}/icon`,
  params: DashboardGuildParams,
} satisfies Route;

/** The same for members without a role, whose lists of guilds show it. */
const showOwnGuildIcon = { ...showIcon, path: `${GUILD}/me/icon` } satisfies Route;

const showOwnAvatar = {
  ...PICTURE_ROUTE,
  path: '/dashboard/api/session/avatar',
  query: PictureQuery,
  fixedHeaders: PICTURE_HEADERS,
} satisfies Route;

/** The pictures of people and guilds. Pages ask only for those that exist, by the versions in other answers. */
export const PICTURE_ENDPOINTS = [
  forSession(listAvatars, ({ guildAvatars }) => async ({ params, query }) => {
    const avatars = await guildAvatars.list(params.guildId, query);
    const data = avatars.map(({ playerId = null, ...avatar }) => ({ ...avatar, playerId }));
    return answerJson({ success: true, data });
  }),
  forSession(showAvatar, ({ guildAvatars }) => async ({ params, query, request }) => {
    const found = await guildAvatars.find(params.guildId, params.chatId);
    return answerPicture(request, { found, asked: query.v });
  }),
  ...[showIcon, showOwnGuildIcon].map((route) =>
    forSession(route, ({ chatPictures }) => async ({ who, params: { guildId }, query, request }) => {
      const icon = who.session.guilds.find((guild) => guild.guildId === guildId)?.icon;
      const found = requireFound(chatPictures.hashOf(icon), (hash) =>
        chatPictures.find({ kind: 'icons', id: guildId, hash }),
      );
      return answerPicture(request, { found, asked: query.v });
    }),
  ),
  forSession(showOwnAvatar, ({ chatPictures }) => async ({ who, query, request }) => {
    const { chatId: id, avatar } = who.session.user;
    const found = requireFound(chatPictures.hashOf(avatar), (hash) =>
      chatPictures.find({ kind: 'avatars', id, hash }),
    );
    return answerPicture(request, { found, asked: query.v });
  }),
];

function requireFound(
  hash: string | undefined,
  load: (hash: string) => ReturnType<FoundPicture['load']>,
): FoundPicture {
  if (hash === undefined) {
    throw new DomainError('user_not_found');
  }
  return { version: hash, load: () => load(hash) };
}

/** 304 when the browser has it, 204 when the host does not deliver it now: a browser reports neither as an error. */
async function answerPicture(
  request: HttpRequest,
  { found: { version, load }, asked }: { found: FoundPicture; asked: unknown },
): Promise<Answer> {
  const tag = `"${version}"`;
  const known = request.raw.headers['if-none-match'] ?? '';
  const isKnown = known.split(',').some((one) => one.trim().replace(/^W\//, '') === tag);
  const picture = isKnown ? undefined : await load();
  if (!isKnown && picture === undefined) {
    return { status: 204, body: toBody('') };
  }
  allowCaching(request, asked === version ? `private, max-age=${KEPT_SECONDS}` : 'private, no-cache');
  const headers = ['etag', tag];
  return picture === undefined
    ? { status: 304, body: toBody(''), headers }
    : {
        body: { content: picture.bytes, length: picture.bytes.length },
        contentType: picture.type,
        headers,
      };
}

/** Replaces the value that applies to failures. */
function allowCaching({ answerHeaders }: HttpRequest, value: string): void {
  answerHeaders[answerHeaders.indexOf('cache-control') + 1] = value;
}
