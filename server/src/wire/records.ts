import { Type } from 'typebox';
import { enveloped } from './envelope.ts';
import { blockText, idText, lineText } from './text.ts';

export const Discharge = Type.Object({
  id: idText('Identifier of the discharge.', 'dis_8k2mq4x7vt'),
  guildId: idText('Guild that owns the record.', '814203957731622912'),
  chatId: idText('Identifier of the person on the chat platform.', '302817465920118784'),
  playerId: idText('Identifier of the person on the game platform.', '48213977'),
  name: lineText('Name of the person.', 'Rowan_Ashford'),
  reason: blockText('Reason of the discharge.', 'Completed a full term of service.'),
  date: Type.String({
    description: 'Date of the discharge, ISO 8601. A plain date stays a plain date.',
    examples: ['2026-03-14'],
  }),
  type: lineText('Kind of discharge, free text.', 'honourable'),
  from: lineText('Origin of the discharge, such as the unit left.', '2nd Company'),
  signed: lineText('Who signed it.', 'KestrelVane'),
});

export const Transfer = Type.Object({
  id: idText('Identifier of the transfer.', 'trf_5n9wd3c1hz'),
  guildId: idText('Guild that owns the record.', '814203957731622912'),
  playerId: idText('Identifier of the person on the game platform.', '48213977'),
  name: lineText('Name of the person.', 'Rowan_Ashford'),
  date: Type.String({
    format: 'date-time',
    description: 'Time of the transfer, ISO 8601 in UTC.',
    examples: ['2026-05-02T18:22:05.000Z'],
  }),
  from: lineText('Origin of the transfer.', '2nd Company'),
  to: lineText('Target of the transfer.', 'Harbour Watch'),
  signed: lineText('Who signed it.', 'KestrelVane'),
});

export const DischargeParams = Type.Object({
  dischargeId: idText('Identifier of the discharge.', 'dis_8k2mq4x7vt'),
});
export const TransferParams = Type.Object({
  transferId: idText('Identifier of the transfer.', 'trf_5n9wd3c1hz'),
});

export const DischargeReply = enveloped(Discharge);
/** The one success without an envelope. */
export const TransferReply = Transfer;
