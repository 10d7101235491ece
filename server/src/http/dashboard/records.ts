import type { Static, TObject, TSchema } from 'typebox';
import { actorOf } from '../../domain/access/actors.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import type { Actor, Discharge, Transfer } from '../../domain/model.ts';
import type { RecordPage } from '../../domain/records/record-lists.ts';
import type { ImportedRecord, ImportOptions, RecordService } from '../../domain/records/records.ts';
import { csvOf } from '../../import-export/export.ts';
import { DashboardGuildParams, DoneReply } from '../../wire/dashboard.ts';
import { DISCHARGE_PAGES, RecordImportReply, TRANSFER_PAGES } from '../../wire/dashboard-records.ts';
import { RecordHeaders } from '../../wire/guild-records.ts';
import { Type } from '../../wire/type.ts';
import type { SessionRoute } from '../access/session.ts';
import { answerJson } from '../answer.ts';
import type { EndpointParts } from '../endpoint-parts.ts';
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

type Kind = 'discharge' | 'transfer';
type GuildParams = typeof DashboardGuildParams;
type Wire = typeof DISCHARGE_PAGES | typeof TRANSFER_PAGES;
type Routes<Shapes extends Wire> = ReturnType<typeof routesOf<Shapes>>;

/** The routes of one kind of record. The kinds differ only in schemas and names. */
function routesOf<Shapes extends Wire>(kind: Kind, wire: Shapes) {
  const path = `/dashboard/api/guilds/{guildId}/${kind}s`;
  const params: Shapes['params'] = wire.params;
  const listQuery: Shapes['listQuery'] = wire.listQuery;
  const exportQuery: Shapes['exportQuery'] = wire.exportQuery;
  const newBody: Shapes['newBody'] = wire.newBody;
  const importBody: Shapes['importBody'] = wire.importBody;
  const body: Shapes['body'] = wire.body;
  const { reply, shownReply } = wire;
  const nullFor: ErrorCode = `${kind}_not_found`;
  const all = { ...SESSION_ROUTE, path, params: DashboardGuildParams } as const;
  const one = { ...SESSION_ROUTE, path: `${path}/{${kind}Id}`, params, reply } as const;
  return {
    list: { ...all, method: 'GET', query: listQuery, reply: wire.listReply },
    export: { ...all, method: 'GET', path: `${path}.csv`, query: exportQuery, reply: Type.String() },
    show: { ...one, method: 'GET', reply: shownReply, nullFor },
    create: { ...all, method: 'POST', body: newBody, bodyBytesMax: RECORD_BYTES_MAX, reply },
    import: {
      ...all,
      method: 'POST',
      path: `${path}/import`,
      body: importBody,
      bodyBytesMax: IMPORT_BYTES_MAX,
      reply: RecordImportReply,
    },
    replace: {
      ...one,
      method: 'PUT',
      headers: RecordHeaders,
      body,
      bodyBytesMax: RECORD_BYTES_MAX,
    },
    delete: { ...one, method: 'DELETE', headers: RecordHeaders, reply: DoneReply },
  } as const satisfies Record<string, SessionRoute>;
}

/** The rules of one kind of record, for input that its schemas have accepted. */
interface KindRules<Shapes extends Wire, Item>
  extends Pick<RecordService<Item, Static<Shapes['body']>, unknown>, 'show' | 'replace' | 'delete'> {
  list(guildId: string, query: Static<Shapes['listQuery']>): Promise<RecordPage<Item>>;
  read(guildId: string, query: Omit<Static<Shapes['exportQuery']>, 'exact'>): Promise<AsyncIterable<Item>>;
  create(guildId: string, body: Static<Shapes['newBody']>, actor: Actor): Promise<Item>;
  createMany(
    guildId: string,
    records: Static<Shapes['importBody']>['records'],
    actor: Actor,
    options: ImportOptions,
  ): Promise<ImportedRecord[]>;
}

/** The differences between the handlers of the two kinds. */
interface KindParts<Shapes extends Wire, Item> {
  kind: Kind;
  rulesOf(parts: EndpointParts): KindRules<Shapes, Item>;
  idOf(params: Static<Shapes['params']>): string;
  /** Further fields of a page of the list. */
  aboutList?(parts: EndpointParts, guildId: string): Promise<object>;
}

/** A guild's discharges and transfers, to read and to change. */
export const GUILD_RECORD_ENDPOINTS = [
  ...serveKind<typeof DISCHARGE_PAGES, Discharge>(routesOf('discharge', DISCHARGE_PAGES), {
    kind: 'discharge',
    rulesOf: ({ records }) => records.discharges,
    idOf: ({ dischargeId }) => dischargeId,
    aboutList: async ({ records }, guildId) => ({ types: await records.dischargeTypes(guildId) }),
  }),
  ...serveKind<typeof TRANSFER_PAGES, Transfer>(routesOf('transfer', TRANSFER_PAGES), {
    kind: 'transfer',
    rulesOf: ({ records }) => records.transfers,
    idOf: ({ transferId }) => transferId,
  }),
];

function serveKind<Shapes extends Wire, Item extends Discharge | Transfer>(
  routes: Routes<Shapes>,
  kindParts: KindParts<Shapes, Item>,
) {
  return [...serveReading(routes, kindParts), ...serveChanges(routes, kindParts)];
}

function serveReading<Shapes extends Wire, Item extends Discharge | Transfer>(
  routes: Routes<Shapes>,
  { kind, rulesOf, idOf, aboutList }: KindParts<Shapes, Item>,
) {
  return [
    forSession<GuildParams, Shapes['listQuery'], TSchema>(routes.list, (parts) => {
      const rules = rulesOf(parts);
      return async ({ params: { guildId }, query }) => {
        const { records, total } = await rules.list(guildId, query);
        const data = { [`${kind}s`]: records, ...(await aboutList?.(parts, guildId)) };
        return answerJson({ success: true, data, pagination: paginationOf(query, total) });
      };
    }),
    forSession<GuildParams, Shapes['exportQuery'], TSchema>(routes.export, (parts) => {
      const rules = rulesOf(parts);
      return async ({ params: { guildId }, query: { exact, ...filter }, request }) => {
        const readRows = async () => csvOf(`${kind}s`, await rules.read(guildId, filter), csvStyle(exact));
        return parts.downloads.answer(request, {
          guildId,
          fileName: csvName(`${kind}s`, parts.clock),
          readRows,
        });
      };
    }),
    forSession(routes.show, (parts) => {
      const rules = rulesOf(parts);
      return async ({ params }) =>
        answerTagged(kind, await rules.show({ guildId: params.guildId, id: idOf(params) }));
    }),
  ];
}

function serveChanges<Shapes extends Wire, Item extends Discharge | Transfer>(
  routes: Routes<Shapes>,
  { kind, rulesOf, idOf }: KindParts<Shapes, Item>,
) {
  return [
    forSession<GuildParams, TObject, Shapes['newBody']>(routes.create, (parts) => {
      const rules = rulesOf(parts);
      return async ({ who, params: { guildId }, body }) =>
        answerTagged(kind, await rules.create(guildId, body, actorOf(who.session)));
    }),
    forSession<GuildParams, TObject, Shapes['importBody']>(routes.import, (parts) => {
      const rules = rulesOf(parts);
      return async ({ who, params: { guildId }, body }) => {
        const options = { overwrites: body.overwrite, isCheckOnly: body.check };
        const outcomes = await rules.createMany(guildId, body.records, actorOf(who.session), options);
        return answerJson({ success: true, data: { outcomes } });
      };
    }),
    forSession<Shapes['params'], TObject, Shapes['body']>(routes.replace, (parts) => {
      const rules = rulesOf(parts);
      return async ({ who, params, body, request }) => {
        const target = { guildId: params.guildId, id: idOf(params) };
        const actor = actorOf(who.session);
        return answerTagged(kind, await rules.replace(target, body, actor, recordMatchOf(request)));
      };
    }),
    forSession(routes.delete, (parts) => {
      const rules = rulesOf(parts);
      return async ({ who, params, request }) => {
        const target = { guildId: params.guildId, id: idOf(params) };
        await rules.delete(target, actorOf(who.session), recordMatchOf(request));
        return answerJson({ success: true, message: MESSAGES[kind] });
      };
    }),
  ];
}

const MESSAGES: Record<Kind, string> = { discharge: 'Discharge deleted', transfer: 'Transfer deleted' };
