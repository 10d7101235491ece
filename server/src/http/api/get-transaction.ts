import { entryText } from '../../domain/ledger/entry-text.ts';
import { EXAMPLE_ENTRY } from '../../wire/examples.ts';
import { TransactionParams, TransactionReply } from '../../wire/ledger-entries.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const route = {
  operationId: 'getTransaction',
  method: 'GET',
  path: '/guild/transactions/{transactionId}',
  isBesideList: true,
  tag: 'Ledger',
  summary: 'Get a transaction',
  description:
    'One transaction with everything known of it. A transaction that the operator has written into an archive file gets 410.',
  access: 'key',
  scope: 'guild:read',
  bucket: tenPerSecond('get-transaction'),
  errorShape: 'coded',
  params: TransactionParams,
  reply: TransactionReply,
  examples: { transaction: { success: true, data: { transaction: EXAMPLE_ENTRY } } },
  errors: [{ code: 'missing_parameters' }, { code: 'transaction_not_found' }, { code: 'archived' }],
} satisfies Endpoint;

export const getTransaction = forKey(route, (parts) => {
  const bodies = parts.ledgerBodies.ofRoute(route.operationId);
  return ({ who, params: { transactionId } }) =>
    bodies.answer(who.guild, transactionId, async () => {
      const entry = await parts.ledgerHistory.transaction(who.guild, transactionId);
      return { text: `{"success":true,"data":{"transaction":${entryText(entry)}}}`, entries: [entry] };
    });
});
