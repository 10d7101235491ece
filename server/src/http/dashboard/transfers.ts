import { actorOf } from '../../domain/access/actors.ts';
import type { Transfer } from '../../domain/model.ts';
import { csvOf } from '../../import-export/export.ts';
import { DashboardGuildParams, DoneReply } from '../../wire/dashboard.ts';
import {
  DashboardTransferParams,
  DashboardTransferReply,
  NewTransferBody,
  RecordImportReply,
  TransferBody,
  TransferExportQuery,
  TransferImportBody,
  TransferListQuery,
  TransferListReply,
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

const TRANSFERS = '/dashboard/api/guilds/{guildId}/transfers';

const listTransfers = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: TRANSFERS,
  params: DashboardGuildParams,
  query: TransferListQuery,
  reply: TransferListReply,
} satisfies Route;

const exportTransfers = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${TRANSFERS}.csv`,
  params: DashboardGuildParams,
  query: TransferExportQuery,
  reply: Type.String(),
} satisfies Route;

const showTransfer = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${TRANSFERS}/{transferId}`,
  params: DashboardTransferParams,
  reply: DashboardTransferReply,
} satisfies Route;

const createTransfer = {
  ...SESSION_ROUTE,
  method: 'POST',
  path: TRANSFERS,
  params: DashboardGuildParams,
  body: NewTransferBody,
  bodyBytesMax: RECORD_BYTES_MAX,
  reply: DashboardTransferReply,
} satisfies Route;

const importTransfers = {
  ...createTransfer,
  path: `${TRANSFERS}/import`,
  body: TransferImportBody,
  bodyBytesMax: IMPORT_BYTES_MAX,
  reply: RecordImportReply,
} satisfies Route;

const replaceTransfer = {
  ...showTransfer,
  method: 'PUT',
  headers: RecordHeaders,
  body: TransferBody,
  bodyBytesMax: RECORD_BYTES_MAX,
} satisfies Route;

const deleteTransfer = {
  ...showTransfer,
  method: 'DELETE',
  headers: RecordHeaders,
  reply: DoneReply,
} satisfies Route;

/** A guild's transfers, to read and to change. */
export const TRANSFER_ENDPOINTS = [
  forSession(listTransfers, ({ records }) => {
    const { transfers } = records;
    return async ({ params: { guildId }, query }) => {
      const { records, total } = await transfers.list(guildId, query);
      return answerJson({
        success: true,
        data: { transfers: records },
        pagination: paginationOf(query, total),
      });
    };
  }),
  forSession(exportTransfers, ({ clock, downloads, records }) => {
    const { transfers } = records;
    return async ({ params, query, request }) => {
      const { exact, ...filter } = query;
      const rows = csvOf('transfers', await transfers.read(params.guildId, filter), csvStyle(exact));
      const fileName = csvName('transfers', clock);
      return downloads.answer(request, { guildId: params.guildId, fileName, rows });
    };
  }),
  forSession(showTransfer, ({ records }) => {
    const { transfers } = records;
    const answer = (record: Transfer) => answerTagged('transfer', record);
    return async ({ params: { guildId, transferId: id } }) => answer(await transfers.show({ guildId, id }));
  }),
  forSession(createTransfer, ({ records }) => {
    const { transfers } = records;
    const answer = (record: Transfer) => answerTagged('transfer', record);
    return async ({ who, params: { guildId }, body }) => {
      const actor = actorOf(who.session);
      return answer(await transfers.create(guildId, body, actor));
    };
  }),
  forSession(importTransfers, ({ records }) => {
    const { transfers } = records;
    return async ({ who, params: { guildId }, body }) => {
      const actor = actorOf(who.session);
      const outcomes = await transfers.createMany(guildId, body.records, actor);
      return answerJson({ success: true, data: { outcomes } });
    };
  }),
  forSession(replaceTransfer, ({ records }) => {
    const { transfers } = records;
    const answer = (record: Transfer) => answerTagged('transfer', record);
    return async ({ who, params, body, request }) => {
      const { guildId, transferId: id } = params;
      const actor = actorOf(who.session);
      return answer(await transfers.replace({ guildId, id }, body, actor, recordMatchOf(request)));
    };
  }),
  forSession(deleteTransfer, ({ records }) => {
    const { transfers } = records;
    return async ({ who, params, request }) => {
      const { guildId, transferId: id } = params;
      await transfers.delete({ guildId, id }, actorOf(who.session), recordMatchOf(request));
      return answerJson({ success: true, message: 'Transfer deleted' });
    };
  }),
];
