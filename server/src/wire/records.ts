import { DATE_FORMAT, DATE_TIME_FORMAT } from './dates.ts';
import { enveloped } from './envelope.ts';
import { EXAMPLE_DISCHARGE, EXAMPLE_TRANSFER } from './examples.ts';
import { blockText, idText, lineText, noteText } from './text.ts';
import { Type } from './type.ts';

export const Discharge = Type.Object({
  id: idText('Identifier of the discharge.', EXAMPLE_DISCHARGE.id),
  guildId: idText('Guild that owns the record.', EXAMPLE_DISCHARGE.guildId),
  chatId: idText('Identifier of the person on the chat platform.', EXAMPLE_DISCHARGE.chatId),
  playerId: idText('Identifier of the person on the game platform.', EXAMPLE_DISCHARGE.playerId),
  name: lineText('Name of the person.', EXAMPLE_DISCHARGE.name),
  reason: blockText('Reason of the discharge.', EXAMPLE_DISCHARGE.reason),
  date: Type.String({
    format: DATE_FORMAT,
    description: 'Date of the discharge, ISO 8601. A plain date stays a plain date.',
    examples: [EXAMPLE_DISCHARGE.date],
  }),
  type: noteText('Kind of discharge, free text.', EXAMPLE_DISCHARGE.type),
  from: noteText('Origin of the discharge, such as the unit left.', EXAMPLE_DISCHARGE.from),
  signed: noteText('Who signed it.', EXAMPLE_DISCHARGE.signed),
});

export const Transfer = Type.Object({
  id: idText('Identifier of the transfer.', EXAMPLE_TRANSFER.id),
  guildId: idText('Guild that owns the record.', EXAMPLE_TRANSFER.guildId),
  playerId: idText('Identifier of the person on the game platform.', EXAMPLE_TRANSFER.playerId),
  name: lineText('Name of the person.', EXAMPLE_TRANSFER.name),
  date: Type.String({
    format: DATE_TIME_FORMAT,
    description: 'Time of the transfer, ISO 8601 in UTC.',
    examples: [EXAMPLE_TRANSFER.date],
  }),
  from: noteText('Origin of the transfer.', EXAMPLE_TRANSFER.from),
  to: noteText('Target of the transfer.', EXAMPLE_TRANSFER.to),
  signed: noteText('Who signed it.', EXAMPLE_TRANSFER.signed),
});

export const DischargeParams = Type.Object({
  dischargeId: idText('Identifier of the discharge.', EXAMPLE_DISCHARGE.id),
});
export const TransferParams = Type.Object({
  transferId: idText('Identifier of the transfer.', EXAMPLE_TRANSFER.id),
});

export const DischargeReply = enveloped(Discharge);
/** The only success without an envelope. */
export const TransferReply = Transfer;
