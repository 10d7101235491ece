import { entryTexts } from '../../domain/ledger/entry-text.ts';
import { EXAMPLE_ENTRY } from '../../wire/examples.ts';
import { FeedQuery, FeedReply } from '../../wire/ledger-entries.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const route = {
  operationId: 'readFeed',
  method: 'GET',
  path: '/guild/feed',
  tag: 'Ledger',
  summary: 'Follow the ledger',
  description:
    'Transactions in the order of their numbers, for programs that follow the ledger: ask with `after` set to the last ' +
    'number seen. Numbers have no gaps and never appear out of order, so that nothing is missed and nothing comes twice. ' +
    'Transactions that the operator has archived are not here: with `after` 0 the feed begins after them, and with a number ' +
    'before the end of the archive the answer is 410, because some would be missed.',
  access: 'key',
  scope: 'guild:read',
  bucket: tenPerSecond('read-feed'),
  errorShape: 'coded',
  query: FeedQuery,
  reply: FeedReply,
  examples: {
    news: { success: true, data: { transactions: [EXAMPLE_ENTRY] } },
    'nothing new': { success: true, data: { transactions: [] } },
  },
  errors: [
    { code: 'invalid_input', detail: 'limit must be an integer from 1 to 1000' },
    { code: 'archived', detail: 'the next transactions after this number are archived' },
  ],
} satisfies Endpoint;

export const readFeed = forKey(route, (parts) => {
  const bodies = parts.ledgerBodies.ofRoute(route.operationId);
  return ({ who, query }) =>
    bodies.answer(who.guild, `${query.after} ${query.limit}`, async () => {
      const entries = await parts.ledgerHistory.feed(who.guild, query);
      return { text: `{"success":true,"data":{"transactions":[${entryTexts(entries)}]}}`, entries };
    });
});
