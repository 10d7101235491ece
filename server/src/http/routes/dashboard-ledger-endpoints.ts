import { DashboardGuildParams } from '../../wire/dashboard.ts';
import {
  CorrectionBody,
  CorrectionReply,
  DashboardPlayerParams,
  GuildExportQuery,
  GuildTransactionsQuery,
  GuildTransactionsReply,
  OverviewQuery,
  OverviewReply,
  PlayerExportQuery,
  PlayerReply,
  PlayerSearchQuery,
  PlayersReply,
  PlayerTransactionsReply,
} from '../../wire/dashboard-ledger.ts';
import { ListingQuery, PostHeaders } from '../../wire/ledger.ts';
import { Type } from '../../wire/type.ts';
import type { Route } from '../endpoint.ts';

const GUILD = '/dashboard/api/guilds/{guildId}';
const GUILD_ROUTE = {
  method: 'GET',
  access: 'session',
  errorShape: 'enveloped',
  params: DashboardGuildParams,
} as const;
const PLAYER_ROUTE = { ...GUILD_ROUTE, params: DashboardPlayerParams } as const;

export const getOverview = {
  ...GUILD_ROUTE,
  path: `${GUILD}/overview`,
  query: OverviewQuery,
  reply: OverviewReply,
} satisfies Route;

export const findPlayers = {
  ...GUILD_ROUTE,
  path: `${GUILD}/players`,
  query: PlayerSearchQuery,
  reply: PlayersReply,
} satisfies Route;

export const getPlayer = {
  ...PLAYER_ROUTE,
  path: `${GUILD}/players/{playerId}`,
  reply: PlayerReply,
} satisfies Route;

export const listPlayerTransactions = {
  ...PLAYER_ROUTE,
  path: `${GUILD}/players/{playerId}/transactions`,
  query: ListingQuery,
  reply: PlayerTransactionsReply,
} satisfies Route;

export const exportPlayerTransactions = {
  ...PLAYER_ROUTE,
  path: `${GUILD}/players/{playerId}/transactions.csv`,
  query: PlayerExportQuery,
  reply: Type.String(),
} satisfies Route;

export const postCorrection = {
  ...PLAYER_ROUTE,
  method: 'POST',
  path: `${GUILD}/players/{playerId}/transactions`,
  headers: PostHeaders,
  body: CorrectionBody,
  reply: CorrectionReply,
} satisfies Route;

export const listGuildTransactions = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions`,
  query: GuildTransactionsQuery,
  reply: GuildTransactionsReply,
} satisfies Route;

export const exportGuildTransactions = {
  ...GUILD_ROUTE,
  path: `${GUILD}/transactions.csv`,
  query: GuildExportQuery,
  reply: Type.String(),
} satisfies Route;
