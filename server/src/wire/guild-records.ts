import type { TSchema } from 'typebox';
import { DischargeBody, TransferBody } from './bot.ts';
import { DATE_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_TRANSFER } from './examples.ts';
import { Discharge, Transfer } from './records.ts';
import { idText, lineText, noteText } from './text.ts';
import { nullable, Type } from './type.ts';

/** Enough for a date, an id of 128 characters and the hash of the filters. */
const CURSOR_LENGTH_MAX = 1_024;

export const RecordHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      description:
        'The `ETag` that the record must still have, or `*` for any. A record that has another one is not touched.',
      maxLength: 255,
    }),
  ),
});

const time = (description: string) => Type.Optional(Type.String({ format: DATE_FORMAT, description }));

const walkQuery = {
  search: Type.Optional(
    lineText('Part of the name, the id, the playerId or the chatId, whatever the case.', 'thorn'),
  ),
  playerId: Type.Optional(idText('Only records of this player.', EXAMPLE_DISCHARGE.playerId)),
  since: time('Only records from this time on. A plain date is its midnight in UTC.'),
  until: time('Only records before this time.'),
  cursor: Type.Optional(
    Type.String({
      description: 'The `nextCursor` of the page before. It belongs to the same filters.',
      minLength: 1,
      maxLength: CURSOR_LENGTH_MAX,
      pattern: '^[A-Za-z0-9_-]+$',
    }),
  ),
  limit: Type.Integer({ description: 'Records per page.', minimum: 1, maximum: 100, default: 20 }),
};

const nextCursor = nullable<string>({
  type: 'string',
  description: 'The `cursor` of the next page; null at the end.',
});

const params = (example: string) => Type.Object({ id: idText('Identifier of the record.', example) });
const oneReply = <Item extends TSchema>(item: Item) => enveloped(Type.Object({ record: item }));
const listReply = <Item extends TSchema>(item: Item) =>
  enveloped(Type.Object({ records: Type.Array(item), nextCursor }));

export const DISCHARGE_RECORDS = {
  params: params(EXAMPLE_DISCHARGE.id),
  query: Type.Object({
    ...walkQuery,
    type: Type.Optional(noteText('Only discharges of exactly this kind.', EXAMPLE_DISCHARGE.type)),
  }),
  body: DischargeBody,
  reply: oneReply(Discharge),
  listReply: listReply(Discharge),
  example: EXAMPLE_DISCHARGE,
};

export const TRANSFER_RECORDS = {
  params: params(EXAMPLE_TRANSFER.id),
  query: Type.Object(walkQuery),
  body: Type.Object({
    ...TransferBody.properties,
    // Unknown fields are ignored, but a `type` means that a discharge was sent to the wrong address.
    type: Type.Optional(
      Type.Unsafe<never>({ not: {}, 'x-rule': 'left out: it is a field of discharges only' }),
    ),
  }),
  reply: oneReply(Transfer),
  listReply: listReply(Transfer),
  example: EXAMPLE_TRANSFER,
};
