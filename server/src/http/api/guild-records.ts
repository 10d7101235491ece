import type { Static } from 'typebox';
import type { Actor, Discharge, Principal, Transfer } from '../../domain/model.ts';
import { recordTag } from '../../domain/records/record-tag.ts';
import type { RecordService } from '../../domain/records/records.ts';
import { DISCHARGE_RECORDS, RecordHeaders, TRANSFER_RECORDS } from '../../wire/guild-records.ts';
import { EmptyReply } from '../../wire/keys.ts';
import { answerJson } from '../answer.ts';
import { assertSame, badAddress, RECORD_BYTES_MAX, WRITE_ERRORS } from '../bot/for-bot.ts';
import type { Endpoint } from '../endpoint.ts';
import type { EndpointParts } from '../endpoint-parts.ts';
import { recordMatchOf } from '../if-match.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const ETAG = {
  ETag: { description: 'Names this very version of the record.', example: '"mJ0w9qYxA2n5cU8rT1vKbQ"' },
};
const BASE = { tag: 'Records', access: 'key', errorShape: 'coded' } as const;
const BAD_ADDRESS = [{ code: 'missing_parameters' }, badAddress('id')] as const;

type Kind = 'discharge' | 'transfer';
type Wire = typeof DISCHARGE_RECORDS | typeof TRANSFER_RECORDS;

/** The endpoints of one kind of record. The kinds differ only in schemas and texts. */
function endpointsOf<Shapes extends Wire>(kind: Kind, wire: Shapes) {
  const name = kind === 'discharge' ? 'Discharge' : 'Transfer';
  const path = `/guild/records/${kind}s`;
  const notFound = { code: `${kind}_not_found` } as const;
  const reply: Shapes['reply'] = wire.reply;
  const params: Shapes['params'] = wire.params;
  const body: Shapes['body'] = wire.body;
  const query: Shapes['query'] = wire.query;
  const examples = { record: { success: true, data: { record: wire.example } } };
  const one = { ...BASE, path: `${path}/{id}`, isBesideList: true, params } as const;
  const write = { scope: 'records:write', body, bodyBytesMax: RECORD_BYTES_MAX } as const;
  return {
    list: {
      ...BASE,
      operationId: `list${name}Records`,
      method: 'GET',
      path,
      summary: `List ${kind}s`,
      description: `The guild's ${kind}s, newest first. Filters combine freely.`,
      scope: 'guild:read',
      bucket: tenPerSecond(`list-${kind}-records`),
      query,
      reply: wire.listReply,
      examples: { page: { success: true, data: { records: [wire.example], nextCursor: null } } },
      errors: [{ code: 'invalid_input', detail: 'since must be before until' }, { code: 'cursor_mismatch' }],
    },
    get: {
      ...one,
      operationId: `get${name}Record`,
      method: 'GET',
      summary: `Read a ${kind} and its tag`,
      description: `One ${kind}, with the \`ETag\` that a guarded change needs.`,
      scope: 'guild:read',
      bucket: tenPerSecond(`get-${kind}-record`),
      reply,
      replyHeaders: ETAG,
      examples,
      errors: [...BAD_ADDRESS, notFound],
    },
    put: {
      ...one,
      ...write,
      operationId: `put${name}Record`,
      method: 'PUT',
      summary: `Write a ${kind}`,
      description:
        `Creates or replaces the ${kind} of that id. Repeating it changes nothing. With \`If-Match\` it replaces one only ` +
        'while it still has that tag, so that nobody undoes the change of another without knowing.',
      bucket: tenPerSecond(`put-${kind}-record`),
      headers: RecordHeaders,
      reply,
      replyHeaders: ETAG,
      examples,
      errors: [{ code: 'missing_parameters' }, ...WRITE_ERRORS, { code: 'record_changed' }],
    },
    post: {
      ...BASE,
      ...write,
      operationId: `post${name}Record`,
      method: 'POST',
      path,
      summary: `Write a new ${kind}`,
      description: `Creates a ${kind} under a new id (UUIDv7) and returns it.`,
      bucket: tenPerSecond(`post-${kind}-record`),
      reply,
      replyHeaders: ETAG,
      examples,
      errors: WRITE_ERRORS,
    },
    delete: {
      ...one,
      operationId: `delete${name}Record`,
      method: 'DELETE',
      summary: `Delete a ${kind}`,
      description: `Deletes the ${kind} of that id; with \`If-Match\` only while it still has that tag.`,
      scope: 'records:write',
      bucket: tenPerSecond(`delete-${kind}-record`),
      headers: RecordHeaders,
      reply: EmptyReply,
      examples: { deleted: { success: true, data: {} } },
      errors: [...BAD_ADDRESS, notFound, { code: 'record_changed' }],
    },
  } as const satisfies Record<string, Endpoint>;
}

/** A guild's records through its own keys. */
export const RECORD_ENDPOINTS = [
  ...serveKind('discharge', endpointsOf('discharge', DISCHARGE_RECORDS), ({ records }) => records.discharges),
  ...serveKind('transfer', endpointsOf('transfer', TRANSFER_RECORDS), ({ records }) => records.transfers),
];

function serveKind<Shapes extends Wire, Item extends Discharge | Transfer>(
  kind: Kind,
  { list, get, put, post, delete: remove }: ReturnType<typeof endpointsOf<Shapes>>,
  recordsOf: (
    parts: EndpointParts,
  ) => Pick<RecordService<Item, Static<Shapes['body']>, never>, 'get' | 'walk' | 'put' | 'delete'>,
) {
  const answer = (record: Item) =>
    answerJson({ success: true, data: { record } }, ['etag', `"${recordTag(kind, record)}"`]);

  return [
    forKey(list, (parts) => {
      const records = recordsOf(parts);
      return async ({ who, query }) => {
        const { items, nextCursor = null } = await records.walk(who.guild, query);
        return answerJson({ success: true, data: { records: items, nextCursor } });
      };
    }),
    forKey(get, (parts) => {
      const records = recordsOf(parts);
      return async ({ who, params: { id } }) => answer(await records.get(who.guild, id));
    }),
    forKey(put, (parts) => {
      const records = recordsOf(parts);
      return async ({ who, params: { id }, body, request }) => {
        const { guildId } = who.guild;
        assertSame({ id, guildId }, body);
        return answer(await records.put({ guildId, id }, body, actorOf(who), recordMatchOf(request)));
      };
    }),
    forKey(post, (parts) => {
      const records = recordsOf(parts);
      return async ({ who, body }) => {
        const { guildId } = who.guild;
        assertSame({ guildId, id: undefined }, body);
        return answer(await records.put({ guildId }, body, actorOf(who)));
      };
    }),
    forKey(remove, (parts) => {
      const records = recordsOf(parts);
      return async ({ who, params: { id }, request }) => {
        const { guildId } = who.guild;
        await records.delete({ guildId, id }, actorOf(who), recordMatchOf(request));
        return answerJson({ success: true, data: {} });
      };
    }),
  ];
}

function actorOf({ keyId }: Principal): Actor {
  return { kind: 'key', id: keyId };
}
