import { DashboardGuildParams, DoneReply } from '../../wire/dashboard.ts';
import {
  DashboardDischargeParams,
  DashboardDischargeReply,
  DashboardTransferParams,
  DashboardTransferReply,
  DischargeBody,
  DischargeExportQuery,
  DischargeListQuery,
  DischargeListReply,
  NewDischargeBody,
  NewTransferBody,
  TransferBody,
  TransferExportQuery,
  TransferListQuery,
  TransferListReply,
} from '../../wire/dashboard-records.ts';
import { Type } from '../../wire/type.ts';
import type { Route } from '../endpoint.ts';

const SESSION_ROUTE = { access: 'session', errorShape: 'enveloped' } as const;
const RECORD_BYTES_MAX = 64 * 1024;
const DISCHARGES = '/dashboard/api/guilds/{guildId}/discharges';
const TRANSFERS = '/dashboard/api/guilds/{guildId}/transfers';

export const listDischarges = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: DISCHARGES,
  params: DashboardGuildParams,
  query: DischargeListQuery,
  reply: DischargeListReply,
} satisfies Route;

export const exportDischarges = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${DISCHARGES}.csv`,
  params: DashboardGuildParams,
  query: DischargeExportQuery,
  reply: Type.String(),
} satisfies Route;

export const showDischarge = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${DISCHARGES}/{dischargeId}`,
  params: DashboardDischargeParams,
  reply: DashboardDischargeReply,
} satisfies Route;

export const createDischarge = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: DISCHARGES,
  params: DashboardGuildParams,
  body: NewDischargeBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: DashboardDischargeReply,
} satisfies Route;

export const replaceDischarge = {
  ...showDischarge,
  method: 'PUT',
  body: DischargeBody,
  bodyBytesMax: RECORD_BYTES_MAX,
} satisfies Route;

export const deleteDischarge = { ...showDischarge, method: 'DELETE', reply: DoneReply } satisfies Route;

export const listTransfers = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: TRANSFERS,
  params: DashboardGuildParams,
  query: TransferListQuery,
  reply: TransferListReply,
} satisfies Route;

export const exportTransfers = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${TRANSFERS}.csv`,
  params: DashboardGuildParams,
  query: TransferExportQuery,
  reply: Type.String(),
} satisfies Route;

export const showTransfer = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${TRANSFERS}/{transferId}`,
  params: DashboardTransferParams,
  reply: DashboardTransferReply,
} satisfies Route;

export const createTransfer = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: TRANSFERS,
  params: DashboardGuildParams,
  body: NewTransferBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: DashboardTransferReply,
} satisfies Route;

export const replaceTransfer = {
  ...showTransfer,
  method: 'PUT',
  body: TransferBody,
  bodyBytesMax: RECORD_BYTES_MAX,
} satisfies Route;

export const deleteTransfer = { ...showTransfer, method: 'DELETE', reply: DoneReply } satisfies Route;
