import { continueWith } from '../../domain/maybe-promise.ts';
import type { Transfer } from '../../domain/model.ts';
import { pickRecord } from '../../domain/records/pick-record.ts';
import { EXAMPLE_TRANSFER } from '../../wire/examples.ts';
import { TransferParams, TransferReply } from '../../wire/records.ts';
import { createKeyAccess } from '../access/key.ts';
import { type Body, toBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { createCachedBodies } from './cached-bodies.ts';
import type { ApiScope } from './scope.ts';

export const getTransfer = {
  operationId: 'getTransfer',
  method: 'GET',
  path: '/guild/transfers/{transferId}',
  tag: 'Records',
  summary: 'Get a transfer',
  description:
    "Reads one transfer record of the key's guild. Success is the record itself and errors carry only `message`: " +
    'neither has a `success` field.',
  access: 'key',
  scope: 'guild:read',
  errorShape: 'bare',
  unknownParameters: 'named',
  params: TransferParams,
  reply: TransferReply,
  examples: {
    transfer: EXAMPLE_TRANSFER,
  },
  errors: [{ code: 'missing_parameters' }, { code: 'transfer_not_found' }],
} satisfies Endpoint;

export function addGetTransfer({ add, parts }: ApiScope): void {
  const bodies = createCachedBodies();
  add(getTransfer, createKeyAccess(getTransfer, parts), ({ who, params: { transferId } }) =>
    bodies.answer(`${who.guild.guildNo} ${transferId}`, parts.store.revision(who.guild), () =>
      continueWith(parts.records.transfers.get(who.guild, transferId), transferBody),
    ),
  );
}

function transferBody(record: Transfer): Body {
  return toBody(JSON.stringify(pickRecord('transfer', record)));
}
