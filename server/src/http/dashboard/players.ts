import { DashboardGuildParams } from '../../wire/dashboard.ts';
import { FloorBody, FloorReply } from '../../wire/dashboard-corrections.ts';
import {
  DashboardPlayerParams,
  OverviewQuery,
  OverviewReply,
  PlayerReply,
  PlayerSearchQuery,
  PlayersReply,
  TopPlayersReply,
} from '../../wire/dashboard-ledger.ts';
import { OwnAccountReply } from '../../wire/dashboard-own-account.ts';
import { PlayerActivityQuery, PlayerActivityReply } from '../../wire/dashboard-statements.ts';
import { ownAccountOf } from '../access/session.ts';
import { answerJson, answerText } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { forAccount } from './for-account.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import {
  activityText,
  overviewBody,
  ownAccountBody,
  playerBody,
  playerViewBody,
  topPlayersBody,
} from './ledger-body.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';
const GUILD_ROUTE = {
  method: 'GET',
  ...SESSION_ROUTE,
  params: DashboardGuildParams,
} as const;
const PLAYER_ROUTE = { ...GUILD_ROUTE, params: DashboardPlayerParams } as const;

const getOverview = {
  ...GUILD_ROUTE,
  path: `${GUILD}/overview`,
  query: OverviewQuery,
  reply: OverviewReply,
} satisfies Route;

const findPlayers = {
  ...GUILD_ROUTE,
  path: `${GUILD}/players`,
  query: PlayerSearchQuery,
  reply: PlayersReply,
} satisfies Route;

const getPlayer = {
  ...PLAYER_ROUTE,
  path: `${GUILD}/players/{playerId}`,
  reply: PlayerReply,
} satisfies Route;

const getTopPlayers = {
  ...GUILD_ROUTE,
  path: `${GUILD}/overview/players`,
  query: OverviewQuery,
  reply: TopPlayersReply,
} satisfies Route;

const getOwnAccount = {
  ...GUILD_ROUTE,
  path: `${GUILD}/me`,
  reply: OwnAccountReply,
} satisfies Route;

const getActivity = { query: PlayerActivityQuery, reply: PlayerActivityReply };

const putFloor = {
  ...PLAYER_ROUTE,
  method: 'PUT',
  path: `${GUILD}/players/{playerId}/floor`,
  body: FloorBody,
  reply: FloorReply,
} satisfies Route;

/** The overview of a guild's money, its players, and the account of the person themself. */
export const PLAYER_ENDPOINTS = [
  forSession(
    getOverview,
    ({ guildLedger }) =>
      async ({ params, query }) =>
        answerJson({ success: true, data: overviewBody(await guildLedger.overview(params.guildId, query)) }),
  ),
  forSession(findPlayers, ({ guildLedger }) => async ({ params, query }) => {
    const players = await guildLedger.players(params.guildId, query.query, query.limit);
    return answerJson({ success: true, data: players.map(playerBody) });
  }),
  forSession(
    getPlayer,
    ({ guildLedger }) =>
      async ({ params }) =>
        answerJson({
          success: true,
          data: playerViewBody(await guildLedger.player(params.guildId, params.playerId)),
        }),
  ),
  forSession(
    getTopPlayers,
    ({ guildLedger }) =>
      async ({ params, query }) =>
        answerJson({
          success: true,
          data: topPlayersBody(await guildLedger.topPlayers(params.guildId, query)),
        }),
  ),
  forSession(
    getOwnAccount,
    ({ ownLedgers }) =>
      async ({ who, params }) =>
        answerJson({
          success: true,
          data: ownAccountBody(await ownLedgers(ownAccountOf(who)).view(params.guildId)),
        }),
  ),
  ...forAccount(
    'activity',
    getActivity,
    () =>
      async ({ guildId, playerId, ledger }, { query }) =>
        answerText(activityText(await ledger.activity(guildId, playerId, query))),
  ),
  forSession(putFloor, ({ guildLedger }) => async ({ who, params, body }) => {
    const { guildId, playerId } = params;
    await guildLedger.setFloor(who.session, { guildId, playerId, floor: body.floor ?? undefined });
    return answerJson({ success: true });
  }),
];
