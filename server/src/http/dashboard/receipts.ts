import type { Static } from 'typebox';
import { toBase64 } from '../../domain/seal/bytes.ts';
import { DashboardTransactionParams } from '../../wire/dashboard-corrections.ts';
import { TransactionReceiptReply } from '../../wire/dashboard-receipts.ts';
import { ownAccountOf } from '../access/session.ts';
import { type Answer, answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
import type { EndpointParts } from '../endpoint-parts.ts';
import type { Served } from '../served.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

const getReceipt = {
  method: 'GET',
  ...SESSION_ROUTE,
  path: '/dashboard/api/guilds/{guildId}/transactions/{transactionId}/receipt',
  params: DashboardTransactionParams,
  reply: TransactionReceiptReply,
  // The page has to distinguish a transaction that is not sealed yet from one that is archived.
  errorShape: 'coded',
} satisfies Route;

const getOwnReceipt = {
  ...getReceipt,
  path: '/dashboard/api/guilds/{guildId}/me/transactions/{transactionId}/receipt',
} satisfies Route;

export const RECEIPT_ENDPOINTS: readonly Served[] = [
  forSession(
    getReceipt,
    (parts) =>
      async ({ params }) =>
        answerReceipt(parts, params),
  ),
  forSession(getOwnReceipt, (parts) => async ({ who, params }) => {
    // Refuses transactions of others.
    await parts.ownLedgers(ownAccountOf(who)).transaction(params.guildId, params.transactionId);
    return answerReceipt(parts, params);
  }),
];

async function answerReceipt(
  { seals, guilds }: Pick<EndpointParts, 'seals' | 'guilds'>,
  { guildId, transactionId }: Static<typeof DashboardTransactionParams>,
): Promise<Answer> {
  const { proof, ...found } = await seals.receipt(await guilds.find(guildId), transactionId);
  return answerJson({ success: true, data: { receipt: { ...found, proof: proof.map(toBase64) } } });
}
