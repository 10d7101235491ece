import { decimalText } from '../../domain/ledger/amount.ts';
import type { AppendOutcome } from '../../domain/model.ts';
import type { Recipient } from '../../domain/people/recipients.ts';
import { DashboardGuildParams } from '../../wire/dashboard.ts';
import {
  ChatRolesReply,
  DashboardPaymentBody,
  DashboardPaymentReply,
  PostsBody,
  PostsReply,
  RecipientsBody,
  RecipientsReply,
  RoleRecipientsParams,
  RoleRecipientsReply,
} from '../../wire/dashboard-posts.ts';
import { PostHeaders } from '../../wire/ledger.ts';
import { answerJson } from '../answer.ts';
import { idempotencyKeyOf } from '../api/idempotency-key.ts';
import { REPLAYED_HEADERS } from '../api/ledger-route.ts';
import { namingItem } from '../api/refused-item.ts';
import type { Route } from '../endpoint.ts';
import { forSession, SESSION_ROUTE } from './for-session.ts';

/** Enough for a thousand transactions with long names. */
const POSTS_BYTES_MAX = 2 * 1024 * 1024;

const GUILD = '/dashboard/api/guilds/{guildId}';
const POST_ROUTE = {
  ...SESSION_ROUTE,
  method: 'POST',
  params: DashboardGuildParams,
  bodyBytesMax: POSTS_BYTES_MAX,
} as const;

const postTransactions = {
  ...POST_ROUTE,
  path: `${GUILD}/transactions`,
  headers: PostHeaders,
  body: PostsBody,
  reply: PostsReply,
} satisfies Route;

const postPayment = {
  ...POST_ROUTE,
  path: `${GUILD}/payments`,
  headers: PostHeaders,
  body: DashboardPaymentBody,
  reply: DashboardPaymentReply,
} satisfies Route;

const findRecipients = {
  ...POST_ROUTE,
  path: `${GUILD}/recipients`,
  body: RecipientsBody,
  reply: RecipientsReply,
} satisfies Route;

const listChatRoles = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${GUILD}/chat-roles`,
  params: DashboardGuildParams,
  reply: ChatRolesReply,
} satisfies Route;

const findRoleRecipients = {
  ...SESSION_ROUTE,
  method: 'GET',
  path: `${GUILD}/chat-roles/{chatRoleId}/recipients`,
  params: RoleRecipientsParams,
  reply: RoleRecipientsReply,
} satisfies Route;

/** Deposits, withdrawals and payments by people, and the people that they are for. */
export const POST_ENDPOINTS = [
  forSession(postTransactions, ({ guildPosts }) => async ({ who, params, body, request }) => {
    const input = { transactions: body.transactions, isOverdraftWanted: body.overdraft };
    const work = guildPosts.post(who.session, params.guildId, input, idempotencyKeyOf(request));
    const isOne = body.transactions.length === 1;
    const { outcomes, replayed } = await (isOne ? work : namingItem('transactions', work));
    return answerJson(
      { success: true, data: { transactions: outcomes.map(postedBody) } },
      replayed ? REPLAYED_HEADERS : [],
    );
  }),
  forSession(postPayment, ({ guildPosts }) => async ({ who, params, body, request }) => {
    const { overdraft, ...payment } = body;
    const order = { ...payment, isOverdraftWanted: overdraft };
    const paid = await guildPosts.pay(who.session, params.guildId, order, idempotencyKeyOf(request));
    const { paymentId, from, to, replayed } = paid;
    return answerJson(
      { success: true, data: { paymentId, from: postedBody(from), to: postedBody(to) } },
      replayed ? REPLAYED_HEADERS : [],
    );
  }),
  forSession(findRecipients, ({ recipients }) => async ({ params, body }) => {
    const found = await recipients.find(params.guildId, body.texts);
    return answerJson({ success: true, data: { found: found.map((people) => people.map(recipientBody)) } });
  }),
  forSession(listChatRoles, ({ roleRecipients }) => async ({ params }) => {
    const roles = await roleRecipients.roles(params.guildId);
    return answerJson({ success: true, data: { roles: roles ?? null } });
  }),
  forSession(findRoleRecipients, ({ roleRecipients }) => async ({ params: { guildId, chatRoleId } }) => {
    const { people, unverified } = await roleRecipients.find(guildId, chatRoleId);
    return answerJson({ success: true, data: { people: people.map(recipientBody), unverified } });
  }),
];

function postedBody({ transactionId, balanceUnits }: AppendOutcome): object {
  return { transactionId, balance: decimalText(balanceUnits) };
}

function recipientBody({ name, chatId, balanceUnits, lowestUnits, ...recipient }: Recipient): object {
  return {
    ...recipient,
    name: name ?? null,
    chatId: chatId ?? null,
    balance: decimalText(balanceUnits),
    lowest: lowestUnits === undefined ? null : decimalText(lowestUnits),
  };
}
