import { BotCommand } from './commands.ts';
import { DATE_TIME_FORMAT } from './dates.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_PLAYER_ID, EXAMPLE_TRANSACTION } from './examples.ts';
import { NewTransaction } from './ledger.ts';
import { NOTES } from './ledger-entries.ts';
import { Discharge, Transfer } from './records.ts';
import { idText } from './text.ts';
import { Type } from './type.ts';
import { Verification } from './users.ts';

/** Records of import and export files are those of the interface; a transaction also has its player. */
const guildId = Type.Optional(
  idText('The guild it belongs to; may be left out when one is named for all.', EXAMPLE_DISCHARGE.guildId),
);

export const ImportedDischarge = Type.Object({ ...Discharge.properties, guildId });
export const ImportedTransfer = Type.Object({ ...Transfer.properties, guildId });
/** Without `pastUsers`, the past accounts are derived from the stored verification. */
export const ImportedVerification = Type.Object({
  ...Verification.properties,
  pastUsers: Type.Optional(Verification.properties.pastUsers),
});
export const ImportedCommand = BotCommand;
export const ImportedTransaction = Type.Object({
  guildId,
  playerId: idText('Player whose account it belongs to.', EXAMPLE_PLAYER_ID),
  transactionId: Type.String({ format: 'uuid', examples: [EXAMPLE_TRANSACTION.transactionId] }),
  amount: NewTransaction.properties.amount,
  quantity: NewTransaction.properties.quantity,
  name: NewTransaction.properties.name,
  source: NewTransaction.properties.source,
  total: Type.Optional(Type.Number({ description: 'When given, amount times quantity.' })),
  createdAt: Type.String({ format: DATE_TIME_FORMAT, examples: [EXAMPLE_TRANSACTION.createdAt] }),
  number: Type.Optional(
    Type.Integer({ description: 'As it was exported; an import gives new numbers.', minimum: 1 }),
  ),
  ...NOTES,
  paymentId: Type.Optional(
    Type.String({ format: 'uuid', description: 'The payment that it is one side of.' }),
  ),
  reverses: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The transaction that it takes back, which has to come before it.',
    }),
  ),
});
