import { toBase64 } from '../../domain/seal/bytes.ts';
import { DashboardTransactionParams } from '../../wire/dashboard-corrections.ts';
import { TransactionReceiptReply } from '../../wire/dashboard-receipts.ts';
import { answerJson } from '../answer.ts';
import type { Route } from '../endpoint.ts';
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

export const RECEIPT_ENDPOINTS: readonly Served[] = [
  forSession(getReceipt, ({ seals, guilds }) => async ({ params: { guildId, transactionId } }) => {
    const { proof, ...found } = await seals.receipt(await guilds.find(guildId), transactionId);
    return answerJson({ success: true, data: { receipt: { ...found, proof: proof.map(toBase64) } } });
  }),
];
