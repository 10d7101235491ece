import type { FastifyInstance, FastifyRequest } from 'fastify';
import { actorOf } from '../../domain/actors.ts';
import { dayOf, dayText } from '../../domain/calendar.ts';
import type { GuildRecords } from '../../domain/guild-records.ts';
import type { Actor } from '../../domain/model.ts';
import type { Clock } from '../../domain/ports.ts';
import { csvOf } from '../../exchange/export.ts';
import type { SendCsv } from '../csv-download.ts';
import { addEndpoint } from '../endpoint.ts';
import { createSessionGuard, type SessionGuardParts, signedInOf } from '../session-guard.ts';
import {
  createDischarge,
  createTransfer,
  deleteDischarge,
  deleteTransfer,
  exportDischarges,
  exportTransfers,
  listDischarges,
  listTransfers,
  replaceDischarge,
  replaceTransfer,
  showDischarge,
  showTransfer,
} from './dashboard-records-endpoints.ts';

export interface DashboardRecordParts extends SessionGuardParts {
  guildRecords: GuildRecords;
  sendCsv: SendCsv;
  clock: Clock;
}

/** A guild's discharges and transfers, to look at and to change. Every change asks for the right to it once more. */
export function addDashboardRecordRoutes(app: FastifyInstance, parts: DashboardRecordParts): void {
  addDischargeRoutes(app, parts);
  addTransferRoutes(app, parts);
}

function addDischargeRoutes(app: FastifyInstance, parts: DashboardRecordParts): void {
  const { guildRecords, sendCsv } = parts;
  const { discharges } = guildRecords;
  const guard = (route: { method: string }) => createSessionGuard(route, parts);

  addEndpoint(app, listDischarges, guard(listDischarges), async ({ params: { guildId }, query }) => {
    const { records, total } = await discharges.list(guildId, query);
    const types = await guildRecords.dischargeTypes(guildId);
    return { success: true, data: { discharges: records, types }, pagination: paginationOf(query, total) };
  });
  addEndpoint(app, exportDischarges, guard(exportDischarges), async ({ params, query }, reply) => {
    const rows = csvOf('discharges', await discharges.read(params.guildId, query));
    return sendCsv(reply, { fileName: fileName('discharges', parts.clock), rows });
  });
  addEndpoint(app, showDischarge, guard(showDischarge), async ({ params: { guildId, dischargeId: id } }) => ({
    success: true,
    data: await discharges.get({ guildId, id }),
  }));
  addEndpoint(app, createDischarge, guard(createDischarge), async (request) => {
    const { guildId } = request.params;
    const actor = await requireChanger(request, guildId, parts);
    return { success: true, data: await discharges.create(guildId, request.body, actor) };
  });
  addEndpoint(app, replaceDischarge, guard(replaceDischarge), async (request) => {
    const { guildId, dischargeId: id } = request.params;
    const actor = await requireChanger(request, guildId, parts);
    return { success: true, data: await discharges.replace({ guildId, id }, request.body, actor) };
  });
  addEndpoint(app, deleteDischarge, guard(deleteDischarge), async (request) => {
    const { guildId, dischargeId: id } = request.params;
    await discharges.delete({ guildId, id }, await requireChanger(request, guildId, parts));
    return { success: true, message: 'Discharge deleted' };
  });
}

function addTransferRoutes(app: FastifyInstance, parts: DashboardRecordParts): void {
  const { sendCsv } = parts;
  const { transfers } = parts.guildRecords;
  const guard = (route: { method: string }) => createSessionGuard(route, parts);

  addEndpoint(app, listTransfers, guard(listTransfers), async ({ params, query }) => {
    const { records, total } = await transfers.list(params.guildId, query);
    return { success: true, data: { transfers: records }, pagination: paginationOf(query, total) };
  });
  addEndpoint(app, exportTransfers, guard(exportTransfers), async ({ params, query }, reply) => {
    const rows = csvOf('transfers', await transfers.read(params.guildId, query));
    return sendCsv(reply, { fileName: fileName('transfers', parts.clock), rows });
  });
  addEndpoint(app, showTransfer, guard(showTransfer), async ({ params: { guildId, transferId: id } }) => ({
    success: true,
    data: await transfers.get({ guildId, id }),
  }));
  addEndpoint(app, createTransfer, guard(createTransfer), async (request) => {
    const { guildId } = request.params;
    const actor = await requireChanger(request, guildId, parts);
    return { success: true, data: await transfers.create(guildId, request.body, actor) };
  });
  addEndpoint(app, replaceTransfer, guard(replaceTransfer), async (request) => {
    const { guildId, transferId: id } = request.params;
    const actor = await requireChanger(request, guildId, parts);
    return { success: true, data: await transfers.replace({ guildId, id }, request.body, actor) };
  });
  addEndpoint(app, deleteTransfer, guard(deleteTransfer), async (request) => {
    const { guildId, transferId: id } = request.params;
    await transfers.delete({ guildId, id }, await requireChanger(request, guildId, parts));
    return { success: true, message: 'Transfer deleted' };
  });
}

/** The person behind a change, by the platform's word of the last minute. */
async function requireChanger(
  request: FastifyRequest,
  guildId: string,
  { dashboard }: SessionGuardParts,
): Promise<Actor> {
  const { session } = signedInOf(request);
  await dashboard.requireManagedNow(session, guildId);
  return actorOf(session);
}

function paginationOf({ page, limit }: { page: number; limit: number }, total: number): object {
  return { page, limit, total, totalPages: Math.ceil(total / limit) };
}

function fileName(kind: string, clock: Clock): string {
  return `${kind}-${dayText(dayOf(clock.nowMs()))}.csv`;
}
