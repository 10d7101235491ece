import {
  CallbackQuery,
  DashboardGuildParams,
  DashboardKeyParams,
  DoneReply,
  GuildsReply,
  KeysReply,
  NewKeyBody,
  NewKeyReply,
  SessionReply,
  SignInQuery,
} from '../../wire/dashboard.ts';
import { Type } from '../../wire/type.ts';
import type { Route } from '../endpoint.ts';

const SESSION_ROUTE = { access: 'session', errorShape: 'enveloped' } as const;

export const startSignIn = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/sign-in',
  query: SignInQuery,
  reply: Type.Null(),
} satisfies Route;

export const completeSignIn = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/callback',
  query: CallbackQuery,
  reply: Type.Null(),
} satisfies Route;

export const getSession = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/session',
  reply: SessionReply,
} satisfies Route;

export const signOut = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: '/dashboard/api/sign-out',
  reply: DoneReply,
} satisfies Route;

export const signOutEverywhere = { ...signOut, path: '/dashboard/api/sign-out-everywhere' } satisfies Route;

export const listGuilds = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds',
  reply: GuildsReply,
} satisfies Route;

export const listKeys = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: '/dashboard/api/guilds/{guildId}/keys',
  params: DashboardGuildParams,
  reply: KeysReply,
} satisfies Route;

export const createKey = {
  ...listKeys,
  method: 'POST',
  body: NewKeyBody,
  reply: NewKeyReply,
} satisfies Route;

export const deleteKey = {
  ...SESSION_ROUTE,
  method: 'DELETE',
  path: '/dashboard/api/guilds/{guildId}/keys/{keyId}',
  params: DashboardKeyParams,
  reply: DoneReply,
} satisfies Route;
