import { continueWith } from '../../domain/maybe-promise.ts';
import type { Transfer } from '../../domain/model.ts';
import { pickInterfaceFields } from '../../domain/records/pick-record.ts';
import { EXAMPLE_TRANSFER } from '../../wire/examples.ts';
import { TransferParams, TransferReply } from '../../wire/records.ts';
import { type Body, toBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { createCachedBodies } from './cached-bodies.ts';
import { forKey } from './for-key.ts';

const route = {
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

export const getTransfer = forKey(route, ({ records, store }) => {
  const bodies = createCachedBodies();
  return ({ who, params: { transferId } }) =>
    bodies.answer(`${who.guild.guildNo} ${transferId}`, store.revision(who.guild), () =>
      continueWith(records.transfers.get(who.guild, transferId), transferBody),
    );
});

function transferBody(record: Transfer): Body {
  return toBody(JSON.stringify(pickInterfaceFields('transfer', record)));
}
