import type { FastifyInstance } from 'fastify';
import type { Records } from '../../domain/records.ts';
import { DischargeParams, DischargeReply, TransferParams, TransferReply } from '../../wire/records.ts';
import { addEndpoint, type Endpoint } from '../endpoint.ts';
import { createGuard, type GuardParts, principalOf } from '../guard.ts';

export const getDischarge = {
  operationId: 'getDischarge',
  method: 'GET',
  path: '/guild/discharges/{dischargeId}',
  tag: 'Records',
  summary: 'Get a discharge',
  description: "Reads one discharge record of the key's guild.",
  scope: 'guild:read',
  errorShape: 'enveloped',
  params: DischargeParams,
  reply: DischargeReply,
  examples: {
    discharge: {
      success: true,
      data: {
        id: 'dis_8k2mq4x7vt',
        guildId: '814203957731622912',
        chatId: '302817465920118784',
        playerId: '48213977',
        name: 'Rowan_Ashford',
        reason: 'Completed a full term of service.',
        date: '2026-03-14',
        type: 'honourable',
        from: '2nd Company',
        signed: 'KestrelVane',
      },
    },
  },
  errors: [{ code: 'missing_parameters' }, { code: 'discharge_not_found' }],
} satisfies Endpoint;

export const getTransfer = {
  operationId: 'getTransfer',
  method: 'GET',
  path: '/guild/transfers/{transferId}',
  tag: 'Records',
  summary: 'Get a transfer',
  description:
    "Reads one transfer record of the key's guild. Success is the record itself and errors carry only `message`: " +
    'neither has a `success` field.',
  scope: 'guild:read',
  errorShape: 'bare',
  params: TransferParams,
  reply: TransferReply,
  examples: {
    transfer: {
      id: 'trf_5n9wd3c1hz',
      guildId: '814203957731622912',
      playerId: '48213977',
      name: 'Rowan_Ashford',
      date: '2026-05-02T18:22:05.000Z',
      from: '2nd Company',
      to: 'Harbour Watch',
      signed: 'KestrelVane',
    },
  },
  errors: [{ code: 'missing_parameters' }, { code: 'transfer_not_found' }],
} satisfies Endpoint;

export function addRecordRoutes(app: FastifyInstance, parts: GuardParts & { records: Records }): void {
  const { records } = parts;
  addEndpoint(app, getDischarge, createGuard(getDischarge, parts), async (request) => ({
    success: true,
    data: await records.getDischarge(principalOf(request), request.params.dischargeId),
  }));
  addEndpoint(app, getTransfer, createGuard(getTransfer, parts), (request) =>
    records.getTransfer(principalOf(request), request.params.transferId),
  );
}
