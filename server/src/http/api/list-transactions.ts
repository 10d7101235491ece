import { quoted, transactionFields } from '../../domain/ledger/entry-text.ts';
import { continueWith } from '../../domain/maybe-promise.ts';
import type { Listing } from '../../domain/model.ts';
import { EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from '../../wire/examples.ts';
import { ListingParams, ListingQuery, ListingReply } from '../../wire/ledger.ts';
import { cachedBody } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';

const SECOND_MS = 1_000;

const route = {
  operationId: 'listTransactions',
  method: 'GET',
  path: '/guild/ledger/{playerId}/transactions',
  tag: 'Ledger',
  summary: "List a player's transactions",
  description:
    "One page of a player's account in the key's guild. Filters, sort and order combine freely. A player without " +
    'transactions has an empty list.',
  access: 'key',
  scope: 'guild:read',
  bucket: { name: 'list-transactions', limit: 10, windowMs: SECOND_MS },
  errorShape: 'enveloped',
  unknownParameters: 'named',
  params: ListingParams,
  query: ListingQuery,
  reply: ListingReply,
  examples: {
    page: {
      success: true,
      data: {
        playerId: EXAMPLE_PLAYER_ID,
        transactions: [EXAMPLE_TRANSACTION],
      },
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    },
    empty: {
      success: true,
      data: { playerId: EXAMPLE_PLAYER_ID, transactions: [] },
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
    },
  },
  errors: [
    { code: 'missing_parameters' },
    { code: 'invalid_input', detail: 'limit must be an integer from 1 to 100' },
  ],
} satisfies Endpoint;

export const listTransactions = forKey(
  route,
  ({ ledger }) =>
    ({ who, params: { playerId }, query }) =>
      continueWith(ledger.list(who, playerId, query), (listing) => ({
        // A listing is the answer to one query, so its text can be cached with it.
        body: cachedBody(listing, () => listingText(playerId, query, listing)),
      })),
);

/**
 * Written by hand because amounts are exact decimals, and the largest of them have more digits than a JavaScript number
 * prints. A test compares it with the wire schema.
 */
function listingText(
  playerId: string,
  query: { page: number; limit: number },
  { transactions, total }: Listing,
): string {
  const totalPages = Math.ceil(total / query.limit);
  let rows = '';
  for (const transaction of transactions) {
    rows += `${rows === '' ? '' : ','}{${transactionFields(transaction)}}`;
  }
  return (
    `{"success":true,"data":{"playerId":${quoted(playerId)},"transactions":[${rows}]},` +
    `"pagination":{"page":${query.page},"limit":${query.limit},"total":${total},"totalPages":${totalPages}}}`
  );
}
