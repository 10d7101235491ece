import type { Discharge } from '../../domain/model.ts';
import { csvOf } from '../../import-export/export.ts';
import { DashboardGuildParams, DoneReply } from '../../wire/dashboard.ts';
import {
  DashboardDischargeParams,
  DashboardDischargeReply,
  DischargeBody,
  DischargeExportQuery,
  DischargeImportBody,
  DischargeListQuery,
  DischargeListReply,
  NewDischargeBody,
  RecordImportReply,
} from '../../wire/dashboard-records.ts';
import { RecordHeaders } from '../../wire/guild-records.ts';
import { Type } from '../../wire/type.ts';
import { createSessionAccess } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { recordMatchOf } from '../if-match.ts';
import {
  answerTagged,
  csvName,
  csvStyle,
  IMPORT_BYTES_MAX,
  paginationOf,
  RECORD_BYTES_MAX,
  requireChanger,
} from './record-changes.ts';
import { type DashboardScope, SESSION_ROUTE } from './scope.ts';

const DISCHARGES = '/dashboard/api/guilds/{guildId}/discharges';

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

export const importDischarges = {
  ...createDischarge,
  path: `${DISCHARGES}/import`,
  body: DischargeImportBody,
  bodyBytesMax: IMPORT_BYTES_MAX,
  reply: RecordImportReply,
} satisfies Route;

export const replaceDischarge = {
  ...showDischarge,
  method: 'PUT',
  headers: RecordHeaders,
  body: DischargeBody,
  bodyBytesMax: RECORD_BYTES_MAX,
} satisfies Route;

export const deleteDischarge = {
  ...showDischarge,
  method: 'DELETE',
  headers: RecordHeaders,
  reply: DoneReply,
} satisfies Route;

/** A guild's discharges, to read and to change. Every change checks the person's right to it once more. */
export function addDischarges({ add, parts }: DashboardScope): void {
  const { discharges } = parts.records;
  const answer = (record: Discharge) => answerTagged('discharge', record);
  add(listDischarges, createSessionAccess(listDischarges, parts), async ({ params: { guildId }, query }) => {
    const { records, total } = await discharges.list(guildId, query);
    const types = await parts.records.dischargeTypes(guildId);
    return answerJson({
      success: true,
      data: { discharges: records, types },
      pagination: paginationOf(query, total),
    });
  });
  add(exportDischarges, createSessionAccess(exportDischarges, parts), async ({ params, query, request }) => {
    const { exact, ...filter } = query;
    const rows = csvOf('discharges', await discharges.read(params.guildId, filter), csvStyle(exact));
    const fileName = csvName('discharges', parts.clock);
    return parts.downloads.answer(request, { guildId: params.guildId, fileName, rows });
  });
  add(
    showDischarge,
    createSessionAccess(showDischarge, parts),
    async ({ params: { guildId, dischargeId: id } }) => answer(await discharges.show({ guildId, id })),
  );
  add(
    createDischarge,
    createSessionAccess(createDischarge, parts),
    async ({ who, params: { guildId }, body }) => {
      const actor = await requireChanger(who);
      return answer(await discharges.create(guildId, body, actor));
    },
  );
  add(
    importDischarges,
    createSessionAccess(importDischarges, parts),
    async ({ who, params: { guildId }, body }) => {
      const actor = await requireChanger(who);
      const outcomes = await discharges.createMany(guildId, body.records, actor);
      return answerJson({ success: true, data: { outcomes } });
    },
  );
  add(
    replaceDischarge,
    createSessionAccess(replaceDischarge, parts),
    async ({ who, params, body, request }) => {
      const { guildId, dischargeId: id } = params;
      const actor = await requireChanger(who);
      return answer(await discharges.replace({ guildId, id }, body, actor, recordMatchOf(request)));
    },
  );
  add(deleteDischarge, createSessionAccess(deleteDischarge, parts), async ({ who, params, request }) => {
    const { guildId, dischargeId: id } = params;
    await discharges.delete({ guildId, id }, await requireChanger(who), recordMatchOf(request));
    return answerJson({ success: true, message: 'Discharge deleted' });
  });
}
