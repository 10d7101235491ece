import { Type } from 'typebox';
import { enveloped } from './envelope.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_TRANSFER } from './examples.ts';
import { blockText, idText, lineText } from './text.ts';

export const Discharge = Type.Object({
  id: idText('Identifier of the discharge.', EXAMPLE_DISCHARGE.id),
  guildId: idText('Guild that owns the record.', EXAMPLE_DISCHARGE.guildId),
  chatId: idText('Identifier of the person on the chat platform.', EXAMPLE_DISCHARGE.chatId),
  playerId: idText('Identifier of the person on the game platform.', EXAMPLE_DISCHARGE.playerId),
  name: lineText('Name of the person.', EXAMPLE_DISCHARGE.name),
  reason: blockText('Reason of the discharge.', EXAMPLE_DISCHARGE.reason),
  date: Type.String({
    description: 'Date of the discharge, ISO 8601. A plain date stays a plain date.',
    examples: [EXAMPLE_DISCHARGE.date],
  }),
  type: lineText('Kind of discharge, free text.', EXAMPLE_DISCHARGE.type),
  from: lineText('Origin of the discharge, such as the unit left.', EXAMPLE_DISCHARGE.from),
  signed: lineText('Who signed it.', EXAMPLE_DISCHARGE.signed),
});

export const Transfer = Type.Object({
  id: idText('Identifier of the transfer.', EXAMPLE_TRANSFER.id),
  guildId: idText('Guild that owns the record.', EXAMPLE_TRANSFER.guildId),
  playerId: idText('Identifier of the person on the game platform.', EXAMPLE_TRANSFER.playerId),
  name: lineText('Name of the person.', EXAMPLE_TRANSFER.name),
  date: Type.String({
    format: 'date-time',
    description: 'Time of the transfer, ISO 8601 in UTC.',
    examples: [EXAMPLE_TRANSFER.date],
  }),
  from: lineText('Origin of the transfer.', EXAMPLE_TRANSFER.from),
  to: lineText('Target of the transfer.', EXAMPLE_TRANSFER.to),
  signed: lineText('Who signed it.', EXAMPLE_TRANSFER.signed),
});

export const DischargeParams = Type.Object({
  dischargeId: idText('Identifier of the discharge.', EXAMPLE_DISCHARGE.id),
});
export const TransferParams = Type.Object({
  transferId: idText('Identifier of the transfer.', EXAMPLE_TRANSFER.id),
});

export const DischargeReply = enveloped(Discharge);
/** The one success without an envelope. */
export const TransferReply = Transfer;
