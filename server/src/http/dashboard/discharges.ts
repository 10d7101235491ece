import { actorOf } from '../../domain/access/actors.ts';
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
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import { recordMatchOf } from '../if-match.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';
import {
  answerTagged,
  csvName,
  csvStyle,
  IMPORT_BYTES_MAX,
  paginationOf,
  RECORD_BYTES_MAX,
} from './record-changes.ts';

const DISCHARGES = '/dashboard/api/guilds/{guildId}/discharges';

const listDischarges = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: DISCHARGES,
  params: DashboardGuildParams,
  query: DischargeListQuery,
  reply: DischargeListReply,
} satisfies Route;

const exportDischarges = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${DISCHARGES}.csv`,
  params: DashboardGuildParams,
  query: DischargeExportQuery,
  reply: Type.String(),
} satisfies Route;

const showDischarge = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${DISCHARGES}/{dischargeId}`,
  params: DashboardDischargeParams,
  reply: DashboardDischargeReply,
} satisfies Route;

const createDischarge = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: DISCHARGES,
  params: DashboardGuildParams,
  body: NewDischargeBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: DashboardDischargeReply,
} satisfies Route;

const importDischarges = {
  ...createDischarge,
  path: `${DISCHARGES}/import`,
  body: DischargeImportBody,
  bodyBytesMax: IMPORT_BYTES_MAX,
  reply: RecordImportReply,
} satisfies Route;

const replaceDischarge = {
  ...showDischarge,
  method: 'PUT',
  headers: RecordHeaders,
  body: DischargeBody,
  bodyBytesMax: RECORD_BYTES_MAX,
} satisfies Route;

const deleteDischarge = {
  ...showDischarge,
  method: 'DELETE',
  headers: RecordHeaders,
  reply: DoneReply,
} satisfies Route;

/** A guild's discharges, to read and to change. */
export const DISCHARGE_ENDPOINTS = [
  forSession(listDischarges, (parts) => {
    const { discharges } = parts.records;
    return async ({ params: { guildId }, query }) => {
      const { records, total } = await discharges.list(guildId, query);
      const types = await parts.records.dischargeTypes(guildId);
      return answerJson({
        success: true,
        data: { discharges: records, types },
        pagination: paginationOf(query, total),
      });
    };
  }),
  forSession(exportDischarges, ({ clock, downloads, records }) => {
    const { discharges } = records;
    return async ({ params, query, request }) => {
      const { exact, ...filter } = query;
      const rows = csvOf('discharges', await discharges.read(params.guildId, filter), csvStyle(exact));
      const fileName = csvName('discharges', clock);
      return downloads.answer(request, { guildId: params.guildId, fileName, rows });
    };
  }),
  forSession(showDischarge, ({ records }) => {
    const { discharges } = records;
    const answer = (record: Discharge) => answerTagged('discharge', record);
    return async ({ params: { guildId, dischargeId: id } }) => answer(await discharges.show({ guildId, id }));
  }),
  forSession(createDischarge, ({ records }) => {
    const { discharges } = records;
    const answer = (record: Discharge) => answerTagged('discharge', record);
    return async ({ who, params: { guildId }, body }) => {
      const actor = actorOf(who.session);
      return answer(await discharges.create(guildId, body, actor));
    };
  }),
  forSession(importDischarges, ({ records }) => {
    const { discharges } = records;
    return async ({ who, params: { guildId }, body }) => {
      const actor = actorOf(who.session);
      const outcomes = await discharges.createMany(guildId, body.records, actor);
      return answerJson({ success: true, data: { outcomes } });
    };
  }),
  forSession(replaceDischarge, ({ records }) => {
    const { discharges } = records;
    const answer = (record: Discharge) => answerTagged('discharge', record);
    return async ({ who, params, body, request }) => {
      const { guildId, dischargeId: id } = params;
      const actor = actorOf(who.session);
      return answer(await discharges.replace({ guildId, id }, body, actor, recordMatchOf(request)));
    };
  }),
  forSession(deleteDischarge, ({ records }) => {
    const { discharges } = records;
    return async ({ who, params, request }) => {
      const { guildId, dischargeId: id } = params;
      await discharges.delete({ guildId, id }, actorOf(who.session), recordMatchOf(request));
      return answerJson({ success: true, message: 'Discharge deleted' });
    };
  }),
];
