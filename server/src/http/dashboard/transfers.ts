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

const TRANSFERS = '/dashboard/api/guilds/{guildId}/transfers';

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

export const importTransfers = {
  ...createTransfer,
  path: `${TRANSFERS}/import`,
  body: TransferImportBody,
  bodyBytesMax: IMPORT_BYTES_MAX,
  reply: RecordImportReply,
} satisfies Route;

export const replaceTransfer = {
  ...showTransfer,
  method: 'PUT',
  headers: RecordHeaders,
  body: TransferBody,
  bodyBytesMax: RECORD_BYTES_MAX,
} satisfies Route;

export const deleteTransfer = {
  ...showTransfer,
  method: 'DELETE',
  headers: RecordHeaders,
  reply: DoneReply,
} satisfies Route;

/** A guild's transfers, to read and to change. Every change checks the person's right to it once more. */
export function addTransfers({ add, parts }: DashboardScope): void {
  const { transfers } = parts.records;
  const answer = (record: Transfer) => answerTagged('transfer', record);
  add(listTransfers, createSessionAccess(listTransfers, parts), async ({ params: { guildId }, query }) => {
    const { records, total } = await transfers.list(guildId, query);
    return answerJson({
      success: true,
      data: { transfers: records },
      pagination: paginationOf(query, total),
    });
  });
  add(exportTransfers, createSessionAccess(exportTransfers, parts), async ({ params, query, request }) => {
    const { exact, ...filter } = query;
    const rows = csvOf('transfers', await transfers.read(params.guildId, filter), csvStyle(exact));
    const fileName = csvName('transfers', parts.clock);
    return parts.downloads.answer(request, { guildId: params.guildId, fileName, rows });
  });
  add(
    showTransfer,
    createSessionAccess(showTransfer, parts),
    async ({ params: { guildId, transferId: id } }) => answer(await transfers.show({ guildId, id })),
  );
  add(
    createTransfer,
    createSessionAccess(createTransfer, parts),
    async ({ who, params: { guildId }, body }) => {
      const actor = await requireChanger(who);
      return answer(await transfers.create(guildId, body, actor));
    },
  );
  add(
    importTransfers,
    createSessionAccess(importTransfers, parts),
    async ({ who, params: { guildId }, body }) => {
      const actor = await requireChanger(who);
      const outcomes = await transfers.createMany(guildId, body.records, actor);
      return answerJson({ success: true, data: { outcomes } });
    },
  );
  add(
    replaceTransfer,
    createSessionAccess(replaceTransfer, parts),
    async ({ who, params, body, request }) => {
      const { guildId, transferId: id } = params;
      const actor = await requireChanger(who);
      return answer(await transfers.replace({ guildId, id }, body, actor, recordMatchOf(request)));
    },
  );
  add(deleteTransfer, createSessionAccess(deleteTransfer, parts), async ({ who, params, request }) => {
    const { guildId, transferId: id } = params;
    await transfers.delete({ guildId, id }, await requireChanger(who), recordMatchOf(request));
    return answerJson({ success: true, message: 'Transfer deleted' });
  });
}
