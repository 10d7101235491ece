import { accountFields } from '../../domain/ledger/entry-text.ts';
import { continueWith } from '../../domain/maybe-promise.ts';
import { EXAMPLE_ACCOUNT } from '../../wire/examples.ts';
import { AccountParams, AccountQuery, AccountReply } from '../../wire/ledger-entries.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const route = {
  operationId: 'getAccount',
  method: 'GET',
  path: '/guild/accounts/{playerId}',
  isBesideList: true,
  tag: 'Ledger',
  summary: "Get a player's account",
  description:
    'Balance and number of transactions, now or at an earlier time. A player without transactions has a balance of 0. ' +
    'The number counts archived transactions too. At a time before the last archived transaction of the account the answer is 410.',
  access: 'key',
  scope: 'guild:read',
  bucket: tenPerSecond('get-account'),
  errorShape: 'coded',
  params: AccountParams,
  query: AccountQuery,
  reply: AccountReply,
  examples: {
    account: { success: true, data: EXAMPLE_ACCOUNT },
    unknown: {
      success: true,
      data: { playerId: '1', balance: 0, transactionCount: 0, lastTransactionAt: null },
    },
  },
  errors: [
    { code: 'missing_parameters' },
    { code: 'archived', detail: 'the account at that time is archived' },
    { code: 'invalid_input', detail: 'at must be a time such as 2027-01-31T18:00:00Z' },
  ],
} satisfies Endpoint;

export const getAccount = forKey(route, (parts) => {
  const { ledgerHistory } = parts;
  const bodies = parts.ledgerBodies.ofRoute(route.operationId);
  return ({ who: { guild }, params: { playerId }, query: { at } }) =>
    bodies.answer(
      guild,
      // The id comes last, because it may contain spaces and even a time.
      `${at ?? ''} ${playerId}`,
      () =>
        continueWith(ledgerHistory.account(guild, playerId, at), (account) => ({
          text: `{"success":true,"data":{${accountFields(account)}}}`,
        })),
      ledgerHistory.accountRevision(guild, playerId),
    );
});
