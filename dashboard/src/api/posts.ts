import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { guildPath } from './guild-path.ts';
import type { Reply } from './replies.ts';
import { request, requestTagged } from './request.ts';
import type { Session } from './session.ts';

/** A person who may get money: name, balance, and the lowest balance that a withdrawal may lead to. */
export type Recipient = Reply<'RecipientsReply'>['data']['found'][number][number];

export interface NewPost {
  playerId: string;
  name: string;
  quantity: number;
  amount: number;
  /** Repeats the direction, so that the service refuses a wrong sign. */
  deposit?: true;
  withdrawal?: true;
  reference?: string;
}

interface Order {
  /** Confirms that balances may fall below zero. */
  overdraft: boolean;
  /** The same for every attempt at one order, so that it is posted at most once. */
  idempotencyKey: string;
}

/**
 * Posts all transactions or none, and returns the balance after each. `isReplayed`: they were posted before with the
 * same key, and not again.
 */
export async function postTransactions(
  { csrfToken }: Session,
  guildId: string,
  { transactions, overdraft, idempotencyKey }: Order & { transactions: readonly NewPost[] },
): Promise<{ balances: string[]; isReplayed: boolean }> {
  const { answer, isReplayed } = await requestTagged('PostsReply', guildPath(guildId, ['transactions']), {
    method: 'POST',
    body: { transactions, ...(overdraft && { overdraft }) },
    csrfToken,
    idempotencyKey,
  });
  return { balances: answer.data.transactions.map(({ balance }) => balance), isReplayed };
}

export interface NewPayment {
  fromPlayerId: string;
  toPlayerId: string;
  amount: number;
  name: string;
}

/** Moves an amount from one person to another. */
export async function postPayment(
  { csrfToken }: Session,
  guildId: string,
  { payment, overdraft, idempotencyKey }: Order & { payment: NewPayment },
): Promise<void> {
  await request('DashboardPaymentReply', guildPath(guildId, ['payments']), {
    method: 'POST',
    body: { ...payment, ...(overdraft && { overdraft }) },
    csrfToken,
    idempotencyKey,
  });
}

/** The people that each text names by id or name: none for an unknown text, several for an ambiguous one. */
export async function findRecipients(
  { csrfToken }: Session,
  guildId: string,
  texts: readonly string[],
): Promise<Recipient[][]> {
  if (texts.length === 0) return [];
  const path = guildPath(guildId, ['recipients']);
  return (await request('RecipientsReply', path, { method: 'POST', body: { texts }, csrfToken })).data.found;
}

/** The present balances of players, by player id. A player whom the guild does not know is left out. */
export function recipientsQuery(session: Session, guildId: string, playerIds: readonly string[]) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'ledger', 'recipients', playerIds],
    queryFn: async () => {
      const found = await findRecipients(session, guildId, playerIds);
      const own = found.map((people, index) => people.find(({ playerId }) => playerId === playerIds[index]));
      return new Map(own.flatMap((one) => (one ? [[one.playerId, one] as const] : [])));
    },
    placeholderData: keepPreviousData,
  });
}

export type ChatRole = NonNullable<Reply<'ChatRolesReply'>['data']['roles']>[number];
export type RolePeople = Reply<'RoleRecipientsReply'>['data'];

/** The guild's roles on the chat platform; null when the service cannot read their members. */
export function chatRolesQuery(guildId: string) {
  return queryOptions({
    queryKey: ['guilds', guildId, 'chat-roles'],
    queryFn: async () => (await request('ChatRolesReply', guildPath(guildId, ['chat-roles']))).data.roles,
    staleTime: 60_000,
  });
}

/** The people with a role on the chat platform. */
export async function fetchRolePeople(guildId: string, chatRoleId: string): Promise<RolePeople> {
  const path = guildPath(guildId, ['chat-roles', chatRoleId, 'recipients']);
  return (await request('RoleRecipientsReply', path)).data;
}
