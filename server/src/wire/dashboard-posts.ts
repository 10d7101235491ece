import { sum } from './dashboard-ledger.ts';
import { enveloped } from './envelope.ts';
import { EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from './examples.ts';
import { NewTransaction } from './ledger.ts';
import { NewPayment, NOTES } from './ledger-entries.ts';
import { idText, lineText } from './text.ts';
import { nullable, Type } from './type.ts';

// Transactions that people post in the dashboard, and the people that they are for.

export const POSTS_MAX = 1_000;

const { playerId, name, quantity, amount, deposit, withdrawal } = NewTransaction.properties;
const overdraft = Type.Optional(
  Type.Boolean({ description: 'Allows balances below zero; without it such a post is refused.' }),
);

const NewPost = Type.Object({
  playerId,
  name,
  quantity,
  amount,
  deposit,
  withdrawal,
  reference: NOTES.reference,
});

/** All of them are posted, or none. Their source is `dashboard`. */
export const PostsBody = Type.Object({
  transactions: Type.Array(NewPost, { minItems: 1, maxItems: POSTS_MAX }),
  overdraft,
});

const Posted = Type.Object({
  transactionId: Type.String({ examples: [EXAMPLE_TRANSACTION.transactionId] }),
  balance: sum('The balance right after it.'),
});

export const PostsReply = enveloped(
  Type.Object({ transactions: Type.Array(Posted, { description: 'In the order of the request.' }) }),
);

const { fromPlayerId, toPlayerId, amount: paid } = NewPayment.properties;

export const DashboardPaymentBody = Type.Object({ fromPlayerId, toPlayerId, amount: paid, name, overdraft });

export const DashboardPaymentReply = enveloped(
  Type.Object({ paymentId: Type.String(), from: Posted, to: Posted }),
);

/** Each text is a player id, a chat id or a name. */
export const RecipientsBody = Type.Object({
  texts: Type.Array(lineText('The player id, chat id or name of a person.', EXAMPLE_PLAYER_ID), {
    minItems: 1,
    maxItems: POSTS_MAX,
  }),
});

const Recipient = Type.Object({
  playerId: idText('The player.', EXAMPLE_PLAYER_ID),
  name: nullable<string>({
    type: 'string',
    description: 'The verified name; without one, the name in one of the records.',
  }),
  chatId: nullable<string>({ type: 'string', description: 'Of the verified person; null without one.' }),
  hasAccount: Type.Boolean({ description: 'False when the first post will open the account.' }),
  balance: sum('The present balance.'),
  lowest: nullable<string>({
    type: 'string',
    description: 'Lowest balance that withdrawals may lead to; null when there is none.',
  }),
});

/** The people that each text names, in the order of the texts: none when it is unknown, several when it is ambiguous. */
export const RecipientsReply = enveloped(Type.Object({ found: Type.Array(Type.Array(Recipient)) }));

/** The roles of the guild on the chat platform; null when the service has no bot there, so that members are unknown. */
export const ChatRolesReply = enveloped(
  Type.Object({
    roles: Type.Unsafe<{ chatRoleId: string; name: string }[] | null>({
      type: ['array', 'null'],
      items: Type.Object({ chatRoleId: Type.String(), name: Type.String() }),
    }),
  }),
);

export const RoleRecipientsParams = Type.Object({
  guildId: Type.String(),
  chatRoleId: idText('The role on the chat platform.', '1204518837462093851'),
});

export const RoleRecipientsReply = enveloped(
  Type.Object({
    people: Type.Array(Recipient),
    unverified: Type.Object({
      count: Type.Integer({ description: 'Members with the role whose player is not known.' }),
      names: Type.Array(Type.String(), { description: 'Names of some of them.' }),
    }),
  }),
);
