import type { FastifyInstance } from 'fastify';
import type { Records } from '../../domain/records.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_TRANSFER } from '../../wire/examples.ts';
import { DischargeParams, DischargeReply, TransferParams, TransferReply } from '../../wire/records.ts';
import { dischargeBody, transferBody } from '../answer-text.ts';
import { addEndpoint, type Endpoint, sendBody } from '../endpoint.ts';
import { createGuard, type GuardParts, principalOf } from '../guard.ts';

export const getDischarge = {
  operationId: 'getDischarge',
  method: 'GET',
  path: '/guild/discharges/{dischargeId}',
  tag: 'Records',
  summary: 'Get a discharge',
  description: "Reads one discharge record of the key's guild.",
  access: 'key',
  scope: 'guild:read',
  errorShape: 'enveloped',
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
  params: TransferParams,
  reply: TransferReply,
  examples: {
    transfer: EXAMPLE_TRANSFER,
  },
  errors: [{ code: 'missing_parameters' }, { code: 'transfer_not_found' }],
} satisfies Endpoint;

export function addRecordRoutes(app: FastifyInstance, parts: GuardParts & { records: Records }): void {
  const { records } = parts;
  addEndpoint(app, getDischarge, createGuard(getDischarge, parts), async (request, reply) => {
    const discharge = await records.getDischarge(principalOf(request), request.params.dischargeId);
    return sendBody(reply, dischargeBody(discharge));
  });
  addEndpoint(app, getTransfer, createGuard(getTransfer, parts), async (request, reply) => {
    const transfer = await records.getTransfer(principalOf(request), request.params.transferId);
    return sendBody(reply, transferBody(transfer));
  });
}
