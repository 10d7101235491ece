import { DomainError } from '../../domain/errors.ts';
import { accountFields, textOrNull } from '../../domain/ledger/entry-text.ts';
import type { RankedAccount } from '../../domain/ledger/history.ts';
import { EXAMPLE_ACCOUNT } from '../../wire/examples.ts';
import { AccountsQuery, AccountsReply } from '../../wire/ledger-entries.ts';
import { answerText } from '../answer.ts';
import type { Endpoint } from '../endpoint.ts';
import { forKey } from './for-key.ts';
import { tenPerSecond } from './ledger-route.ts';

const route = {
  operationId: 'listAccounts',
  method: 'GET',
  path: '/guild/accounts',
  tag: 'Ledger',
  summary: 'List accounts by balance',
  description:
    'A leaderboard of all accounts by balance, page by page; equal balances follow the order in which the accounts were ' +
    'opened. Or, with `playerIds`, the accounts of these players in the order given.',
  access: 'key',
  scope: 'guild:read',
  bucket: tenPerSecond('list-accounts'),
  errorShape: 'coded',
  query: AccountsQuery,
  reply: AccountsReply,
  examples: {
    leaderboard: {
      success: true,
      data: { accounts: [{ rank: 1, ...EXAMPLE_ACCOUNT }], nextCursor: null },
    },
    players: {
      success: true,
      data: { accounts: [{ rank: null, ...EXAMPLE_ACCOUNT }], nextCursor: null },
    },
  },
  errors: [
    { code: 'invalid_input', detail: 'limit must be an integer from 1 to 100' },
    { code: 'cursor_mismatch' },
  ],
} satisfies Endpoint;

export const listAccounts = forKey(route, (parts) => {
  const { ledgerHistory } = parts;
  const bodies = parts.ledgerBodies.ofRoute(route.operationId);
  return async ({ who, query }) => {
    const { playerIds, ...page } = query;
    if (playerIds === undefined) {
      return bodies.answer(who.guild, JSON.stringify(page), async () => {
        const { items, nextCursor } = await ledgerHistory.accounts(who.guild, page);
        return { text: accountsText(items, nextCursor) };
      });
    }
    if (page.cursor !== undefined) {
      throw new DomainError('invalid_input', { detail: 'cursor and playerIds exclude each other' });
    }
    return answerText(accountsText(await ledgerHistory.accountsOf(who.guild, playerIds), undefined));
  };
});

function accountsText(accounts: readonly RankedAccount[], nextCursor: string | undefined): string {
  const rows = accounts.map((account) => `{"rank":${account.rank ?? null},${accountFields(account)}}`);
  return `{"success":true,"data":{"accounts":[${rows.join(',')}],"nextCursor":${textOrNull(nextCursor)}}}`;
}
