import { BotCommand } from './commands.ts';
import { DATE_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_VERIFICATION } from './examples.ts';
import { Discharge, DischargeParams, Transfer, TransferParams } from './records.ts';
import { choice, idText, lineText, NAME_LENGTH_MAX, NOTE_FORMAT } from './text.ts';
import { Type } from './type.ts';
import { PastUser, Verification } from './users.ts';

export const COMMANDS_MAX = 2_000;

export const GuildParams = Type.Object({
  guildId: idText("The guild's id on the chat platform.", EXAMPLE_DISCHARGE.guildId),
});
export const GuildDischargeParams = Type.Object({ ...GuildParams.properties, ...DischargeParams.properties });
export const GuildTransferParams = Type.Object({ ...GuildParams.properties, ...TransferParams.properties });

const GuildSettings = Type.Object({
  overdraftAllowed: Type.Optional(
    Type.Boolean({ description: 'Whether withdrawals may take a balance below zero.', examples: [true] }),
  ),
});

export const GuildBody = Type.Object({
  guildId: Type.Optional(idText('When given, the same as in the address.', EXAMPLE_DISCHARGE.guildId)),
  name: lineText("The guild's name.", 'The Emberhold Vanguard'),
  icon: Type.Optional(
    nullable('Its picture, as the chat platform names it; null for none.', NAME_LENGTH_MAX),
  ),
  ownerChatId: Type.Optional(nullable("The owner's chatId; null when unknown.", NAME_LENGTH_MAX)),
  plan: Type.Optional(
    choice(['none', 'developer', 'enterprise'], { description: 'Keys need one of the latter two.' }),
  ),
  planUntil: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: DATE_FORMAT,
      description: 'When the plan ends; null for never. Left out together with a new plan, it has no end.',
      examples: ['2027-12-31'],
    }),
  ),
  settings: Type.Optional(GuildSettings),
});

export const Guild = Type.Object({
  guildId: idText("The guild's id on the chat platform.", EXAMPLE_DISCHARGE.guildId),
  name: lineText("The guild's name.", 'The Emberhold Vanguard'),
  icon: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Its picture.' }),
  ownerChatId: Type.Unsafe<string | null>({ type: ['string', 'null'], description: "The owner's chatId." }),
  plan: choice(['none', 'developer', 'enterprise'], { description: 'The plan.' }),
  planUntil: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'When the plan ends.' }),
  settings: Type.Object({ overdraftAllowed: Type.Boolean() }),
  createdAt: Type.String({ description: 'When the service first heard of it.' }),
});

const { id: _dischargeId, guildId: _dischargeGuild, ...dischargeFields } = Discharge.properties;
const { id: _transferId, guildId: _transferGuild, ...transferFields } = Transfer.properties;
const sameAsAddress = {
  id: Type.Optional(idText('When given, the same as in the address.', EXAMPLE_DISCHARGE.id)),
  guildId: Type.Optional(idText('When given, the same as in the address.', EXAMPLE_DISCHARGE.guildId)),
};

export const DischargeBody = Type.Object({ ...sameAsAddress, ...dischargeFields });
export const TransferBody = Type.Object({ ...sameAsAddress, ...transferFields });

export const ChatParams = Type.Object({
  chatId: idText('Identifier on the chat platform.', EXAMPLE_VERIFICATION.chatId),
});

export const VerificationBody = Type.Object({
  chatId: Type.Optional(idText('When given, the same as in the address.', EXAMPLE_VERIFICATION.chatId)),
  playerId: Verification.properties.playerId,
  username: Verification.properties.username,
  pastUsers: Type.Optional(
    Type.Array(PastUser, {
      description: 'Sets the past accounts. Left out, they follow from what was known before.',
      maxItems: 100,
    }),
  ),
});

export const CommandsBody = Type.Array(BotCommand, { maxItems: COMMANDS_MAX });

export const GuildReply = enveloped(Guild);
export const GuildsReply = enveloped(Type.Array(Guild));
export const DischargePutReply = enveloped(Discharge);
export const TransferPutReply = enveloped(Transfer);
export const DeletedReply = Type.Object({ success: Type.Literal(true), message: Type.String() });

function nullable(description: string, maxLength: number) {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    maxLength,
    format: NOTE_FORMAT,
    description,
  });
}
