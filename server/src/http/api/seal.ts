import acceptNegotiator from '@fastify/accept-negotiator';
import { isoText } from '../../domain/iso-text.ts';
import { toBase64 } from '../../domain/seal/bytes.ts';
import { TransactionParams } from '../../wire/ledger-entries.ts';
import {
  ConsistencyQuery,
  ConsistencyReply,
  EXAMPLE_CONSISTENCY,
  EXAMPLE_RECEIPT,
  EXAMPLE_SEAL,
  ReceiptReply,
  SealedGuildParams,
  SealReply,
} from '../../wire/seal.ts';
import { answerJson, toBody } from '../answer.ts';
import type { Endpoint, Route } from '../endpoint.ts';
import { forAnybody, type Served } from '../served.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const PLAIN_TYPE = 'text/plain; charset=utf-8';
const JSON_OR_TEXT = ['application/json', 'text/plain'];
const VARY = ['vary', 'accept'];
/** A checkpoint is replaced after seconds. Hashes never change, and the path of a partial tile names its width. */
const CHECKPOINT_HEADERS = ['cache-control', 'public, max-age=2', 'access-control-allow-origin', '*'];
const TILE_HEADERS = [
  'cache-control',
  'public, max-age=31536000, immutable',
  'access-control-allow-origin',
  '*',
  'x-content-type-options',
  'nosniff',
];

const ofKey = {
  method: 'GET',
  tag: 'Sealed ledger',
  access: 'key',
  scope: 'guild:read',
  errorShape: 'coded',
} as const;

const seal = {
  ...ofKey,
  operationId: 'getSeal',
  path: '/guild/seal',
  summary: 'Get the checkpoint of the ledger',
  description:
    'The last checkpoint of the sealed ledger, the keys that check it, and how many transactions are not sealed yet. Keep a ' +
    'checkpoint somewhere else: with it you can prove later that nothing before it was changed.',
  bucket: tenPerSecond('get-seal'),
  reply: SealReply,
  examples: { seal: { success: true, data: EXAMPLE_SEAL } },
  errors: [{ code: 'not_sealed_yet' }],
} satisfies Endpoint;

const receipt = {
  ...ofKey,
  operationId: 'getReceipt',
  path: '/guild/transactions/{transactionId}/receipt',
  summary: 'Get the receipt of a transaction',
  description:
    'The transaction as it was sealed, the proof that the log has it, and the signed checkpoint: everything that is needed to ' +
    'check it without this service. With `Accept: text/plain` it is the text of c2sp.org/tlog-proof, whose extra data is the ' +
    'text of the leaf. In the first seconds after a post the answer is 409.',
  bucket: tenPerSecond('get-receipt'),
  params: TransactionParams,
  reply: ReceiptReply,
  examples: { receipt: { success: true, data: { receipt: EXAMPLE_RECEIPT } } },
  errors: [
    { code: 'missing_parameters' },
    { code: 'transaction_not_found' },
    { code: 'not_sealed_yet' },
    { code: 'archived' },
  ],
} satisfies Endpoint;

const consistency = {
  ...ofKey,
  operationId: 'getConsistency',
  path: '/guild/seal/consistency',
  summary: 'Prove that the ledger contains an older checkpoint',
  description:
    'The proof that the present checkpoint contains everything of an older one, whose size is `from`. Compare it with the ' +
    'older checkpoint that you kept.',
  bucket: tenPerSecond('get-consistency'),
  query: ConsistencyQuery,
  reply: ConsistencyReply,
  examples: { proof: { success: true, data: EXAMPLE_CONSISTENCY } },
  errors: [
    { code: 'invalid_input', detail: 'from must not be larger than the log' },
    { code: 'not_sealed_yet' },
  ],
} satisfies Endpoint;

export const SEAL_ENDPOINTS: readonly Served<Endpoint>[] = [
  forKey(seal, ({ seals }) => async ({ who }) => {
    const { sealedAtMs, checkpoint = null, ...status } = await seals.status(who.guild);
    const sealedAt = sealedAtMs === undefined ? null : isoText(sealedAtMs);
    return answerJson({ success: true, data: { ...status, sealedAt, checkpoint } });
  }),
  forKey(receipt, ({ seals }) => async ({ who, params: { transactionId }, request }) => {
    const accepted = request.raw.headers.accept ?? '*/*';
    if (acceptNegotiator(accepted, JSON_OR_TEXT) === 'text/plain') {
      const text = await seals.receiptText(who.guild, transactionId);
      return { body: toBody(text), contentType: PLAIN_TYPE, headers: VARY };
    }
    const { proof, ...found } = await seals.receipt(who.guild, transactionId);
    return answerJson({ success: true, data: { receipt: { ...found, proof: proof.map(toBase64) } } }, VARY);
  }),
  forKey(consistency, ({ seals }) => async ({ who, query: { from } }) => {
    const { proof, ...found } = await seals.consistency(who.guild, from);
    return answerJson({ success: true, data: { ...found, proof: proof.map(toBase64) } });
  }),
];

const publicLog = (path: string) =>
  ({
    method: 'GET',
    path: `/seal/{guildId}/${path}`,
    access: 'public',
    errorShape: 'enveloped',
    unknownParameters: 'ignored',
    params: SealedGuildParams,
  }) satisfies Route;

/** The paths of c2sp.org/tlog-tiles, for guilds that publish their log. */
export const PUBLIC_SEAL_ENDPOINTS: readonly Served[] = [
  forAnybody(publicLog('checkpoint'), ({ seals }) => async ({ params: { guildId } }) => ({
    body: toBody(await seals.publicCheckpoint(guildId)),
    contentType: PLAIN_TYPE,
    headers: CHECKPOINT_HEADERS,
  })),
  forAnybody(publicLog('tile/*'), ({ seals }) => async ({ params: { guildId }, request }) => {
    const content = Buffer.from(await seals.publicTile(guildId, request.params['*'] ?? ''));
    return {
      body: { content, length: content.length },
      contentType: 'application/octet-stream',
      headers: TILE_HEADERS,
    };
  }),
];
