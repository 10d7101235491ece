import { enveloped } from './envelope.ts';
import { nullable, Type } from './type.ts';

// The settings of the commands of the chat.

const COMMANDS_MAX = 50;
const COMMAND_NAME_LENGTH_MAX = 32;
/** The largest amount of the ledger. */
const AMOUNT_MAX = 900_719_925_474;

const membersPay = Type.Boolean({ description: 'Whether members may pay one another.' });
const balancesShown = Type.Boolean({
  description: 'Whether members may see balances and transactions of others.',
});

/** All fields are replaced. */
export const ChatSettingsBody = Type.Object({
  commandsOff: Type.Array(Type.String({ minLength: 1, maxLength: COMMAND_NAME_LENGTH_MAX }), {
    maxItems: COMMANDS_MAX,
    description: 'Names of commands that are switched off.',
  }),
  membersPay,
  payDayMax: nullable<number>({
    type: 'number',
    minimum: 0,
    maximum: AMOUNT_MAX,
    description: 'The largest sum that a member may pay in a day in UTC; null for no limit.',
  }),
  balancesShown,
});

export const ChatSettingsReply = enveloped(
  Type.Object({
    isConfigured: Type.Boolean({ description: 'Whether the service answers commands of the chat platform.' }),
    commands: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String({ description: 'In English.' }),
        descriptions: Type.Record(Type.String(), Type.String(), {
          description: 'The description in the other languages, by their tags.',
        }),
        role: nullable<string>({ type: 'string', description: 'The role that it needs; null for everyone.' }),
        isOn: Type.Boolean(),
      }),
    ),
    membersPay,
    payDayMax: nullable<string>({
      type: 'string',
      description: 'The largest sum that a member may pay in a day; null for no limit.',
    }),
    balancesShown,
  }),
);
