import { continueWith } from '../../domain/maybe-promise.ts';
import type { Discharge } from '../../domain/model.ts';
import { pickInterfaceFields } from '../../domain/records/pick-record.ts';
import { EXAMPLE_DISCHARGE } from '../../wire/examples.ts';
import { DischargeParams, DischargeReply } from '../../wire/records.ts';
import { type Body, toBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { createCachedBodies } from './cached-bodies.ts';
import { forKey } from './for-key.ts';

const route = {
  operationId: 'getDischarge',
  method: 'GET',
  path: '/guild/discharges/{dischargeId}',
  tag: 'Records',
  summary: 'Get a discharge',
  description: "Reads one discharge record of the key's guild.",
  access: 'key',
  scope: 'guild:read',
  errorShape: 'enveloped',
  unknownParameters: 'named',
  params: DischargeParams,
  reply: DischargeReply,
  examples: {
    discharge: {
      success: true,
      data: EXAMPLE_DISCHARGE,
    },
  },
  errors: [{ code: 'missing_parameters' }, { code: 'discharge_not_found' }],
} satisfies Endpoint;

export const getDischarge = forKey(route, ({ records, store }) => {
  const bodies = createCachedBodies();
  return ({ who, params: { dischargeId } }) =>
    bodies.answer(`${who.guild.guildNo} ${dischargeId}`, store.revision(who.guild), () =>
      continueWith(records.discharges.get(who.guild, dischargeId), dischargeBody),
    );
});

function dischargeBody(record: Discharge): Body {
  return toBody(JSON.stringify({ success: true, data: pickInterfaceFields('discharge', record) }));
}
