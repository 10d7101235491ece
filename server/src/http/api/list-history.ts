import { entryTexts, textOrNull } from '../../domain/ledger/entry-text.ts';
import { EXAMPLE_ENTRY } from '../../wire/examples.ts';
import { HistoryQuery, HistoryReply } from '../../wire/ledger-entries.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const route = {
  operationId: 'listHistory',
  method: 'GET',
  path: '/guild/transactions',
  tag: 'Ledger',
  summary: "List the guild's transactions",
  description:
    'All transactions of the guild by number, newest first. Filters combine freely. A page with filters looks at 10,000 ' +
    'transactions at most: it may be short or even empty before the end, and the list goes on with `nextCursor` until ' +
    'that is null.',
  access: 'key',
  scope: 'guild:read',
  bucket: tenPerSecond('list-history'),
  errorShape: 'coded',
  query: HistoryQuery,
  reply: HistoryReply,
  examples: {
    page: { success: true, data: { transactions: [EXAMPLE_ENTRY], nextCursor: null } },
    empty: { success: true, data: { transactions: [], nextCursor: null } },
  },
  errors: [{ code: 'invalid_input', detail: 'since must be before until' }, { code: 'cursor_mismatch' }],
} satisfies Endpoint;

export const listHistory = forKey(route, (parts) => {
  const bodies = parts.ledgerBodies.ofRoute(route.operationId);
  return ({ who, query }) =>
    bodies.answer(who.guild, JSON.stringify(query), async () => {
      const { items, nextCursor } = await parts.ledgerHistory.transactions(who.guild, query);
      const text = `{"success":true,"data":{"transactions":[${entryTexts(items)}],"nextCursor":${textOrNull(nextCursor)}}}`;
      return { text, entries: items };
    });
});
