import type { Static, TSchema } from 'typebox';
import { DATE_TIME_FORMAT } from './dates.ts';
import {
  EXAMPLE_DISCHARGE,
  EXAMPLE_ENTRY,
  EXAMPLE_KEY,
  EXAMPLE_PAYMENT_ID,
  EXAMPLE_PLAYER_ID,
  EXAMPLE_TRANSACTION,
  EXAMPLE_TRANSFER,
  EXAMPLE_VERIFICATION,
  EXAMPLE_WEBHOOK,
} from './examples.ts';
import { ApiKey } from './keys.ts';
import { LedgerEntry } from './ledger-entries.ts';
import { Discharge, Transfer } from './records.ts';
import { EXAMPLE_SEALED } from './seal.ts';
import { choice } from './text.ts';
import { nullable, Type } from './type.ts';
import { PastUser } from './users.ts';

// The bodies delivered to endpoints of the kind `standard`. The domain writes them; a test compares the two.

const truncated = Type.Literal(true, {
  description: 'The rest was left out: read it by its id.',
});
const id = (description: string) => Type.String({ description });

export const TruncatedTransaction = Type.Object({ transactionId: id('The transaction.'), truncated });
export const TruncatedPayment = Type.Object({ paymentId: id('The payment.'), truncated });
export const TruncatedBalance = Type.Object({
  playerId: id('The player.'),
  balance: Type.Number({ description: 'The balance right after the transaction.' }),
  truncated,
});
export const TruncatedRecord = Type.Object({
  id: id('The record.'),
  chatId: Type.Optional(id('The person, where the record has one.')),
  truncated,
});
export const TruncatedVerification = Type.Object({ chatId: id('The person.'), truncated });

export const PaymentData = Type.Object({ paymentId: id('The payment.'), from: LedgerEntry, to: LedgerEntry });
export const BalanceData = Type.Object({
  playerId: id('The player.'),
  balance: Type.Number({ description: 'The balance right after the transaction.' }),
  balanceBelow: Type.Number({ description: 'The limit that it fell below, as the webhook has it.' }),
  transaction: LedgerEntry,
});
export const VerificationData = Type.Object({
  chatId: id('The person.'),
  playerId: nullable<string>({ type: 'string', description: 'Null when the verification was deleted.' }),
  username: nullable<string>({ type: 'string', description: 'Null when the verification was deleted.' }),
  pastUsers: Type.Array(PastUser, { description: 'Earlier game accounts, newest first.' }),
});
export const KeyData = Type.Object({
  id: ApiKey.properties.id,
  name: ApiKey.properties.name,
  prefix: ApiKey.properties.prefix,
  scopes: ApiKey.properties.scopes,
  expiresAt: ApiKey.properties.expiresAt,
});
export const RefusalData = Type.Object({
  id: ApiKey.properties.id,
  name: ApiKey.properties.name,
  refused: Type.Integer({ description: 'Its refused requests in this hour so far.' }),
  hour: Type.String({ format: DATE_TIME_FORMAT, description: 'The beginning of the hour.' }),
});
export const SealedData = Type.Object({
  origin: id('Identifies the log.'),
  size: Type.Integer({ description: 'The number of sealed transactions.' }),
  root: id('The root hash in base64.'),
  checkpoint: id('The signed size and root, as in c2sp.org/tlog-checkpoint. Keep it.'),
});
export const TestData = Type.Object({
  message: id('A sentence for people.'),
  webhookId: id('The webhook under test.'),
});

const TIMESTAMP = EXAMPLE_TRANSACTION.createdAt;
const PAYMENT_SIDE = { ...EXAMPLE_ENTRY, paymentId: EXAMPLE_PAYMENT_ID };

export const TransactionEvent = event(['transaction.posted', 'transaction.reversed'], EXAMPLE_ENTRY, [
  LedgerEntry,
  TruncatedTransaction,
]);
export const PaymentEvent = event(
  ['payment.posted'],
  { paymentId: EXAMPLE_PAYMENT_ID, from: PAYMENT_SIDE, to: PAYMENT_SIDE },
  [PaymentData, TruncatedPayment],
);
export const BalanceEvent = event(
  ['balance.below'],
  { playerId: EXAMPLE_PLAYER_ID, balance: -5, balanceBelow: 0, transaction: EXAMPLE_ENTRY },
  [BalanceData, TruncatedBalance],
);
export const DischargeEvent = event(
  ['discharge.created', 'discharge.updated', 'discharge.deleted'],
  EXAMPLE_DISCHARGE,
  [Discharge, TruncatedRecord],
);
export const TransferEvent = event(
  ['transfer.created', 'transfer.updated', 'transfer.deleted'],
  EXAMPLE_TRANSFER,
  [Transfer, TruncatedRecord],
);
export const VerificationEvent = event(['verification.changed'], EXAMPLE_VERIFICATION, [
  VerificationData,
  TruncatedVerification,
]);
export const KeyEvent = event(
  ['key.created', 'key.deleted', 'key.expiring'],
  {
    id: EXAMPLE_KEY.id,
    name: EXAMPLE_KEY.name,
    prefix: EXAMPLE_KEY.prefix,
    scopes: EXAMPLE_KEY.scopes,
    expiresAt: EXAMPLE_KEY.expiresAt,
  },
  [KeyData, TruncatedRecord],
);
export const RefusalEvent = event(
  ['key.refused'],
  { id: EXAMPLE_KEY.id, name: EXAMPLE_KEY.name, refused: 100, hour: '2026-11-14T20:00:00.000Z' },
  [RefusalData],
);
export const SealedEvent = event(['ledger.sealed'], EXAMPLE_SEALED, [SealedData]);
export const TestEvent = event(
  ['webhook.test'],
  { message: 'This is a test of your endpoint.', webhookId: EXAMPLE_WEBHOOK.id },
  [TestData],
);

/** The schemas of all events, by name. */
export const WEBHOOK_EVENT_SCHEMAS = {
  TransactionEvent,
  PaymentEvent,
  BalanceEvent,
  DischargeEvent,
  TransferEvent,
  VerificationEvent,
  KeyEvent,
  RefusalEvent,
  SealedEvent,
  TestEvent,
};

type AnyEvent = (typeof WEBHOOK_EVENT_SCHEMAS)[keyof typeof WEBHOOK_EVENT_SCHEMAS];
type EventType = Static<AnyEvent>['type'];

/** The event types of a schema. */
export function typesOf({ properties: { type } }: AnyEvent): readonly EventType[] {
  // `choice` stores its values under this name.
  return (type as unknown as { enum: readonly EventType[] }).enum;
}

/** The events that a webhook can select, in the order of their schemas. */
export const SELECTABLE_EVENTS = Object.values(WEBHOOK_EVENT_SCHEMAS)
  .flatMap((schema) => typesOf(schema))
  .filter((type) => type !== 'webhook.test');

function event<const Types extends readonly string[]>(
  types: Types,
  data: object,
  shapes: readonly TSchema[],
) {
  const [only] = shapes;
  return Type.Object(
    {
      type: choice(types, { description: 'Kind of the change.' }),
      timestamp: Type.String({ format: DATE_TIME_FORMAT, description: 'When it happened.' }),
      data: shapes.length === 1 && only !== undefined ? only : Type.Unsafe<unknown>({ anyOf: shapes }),
    },
    { examples: [{ type: types[0], timestamp: TIMESTAMP, data }] },
  );
}
