import {
  type ChatCall,
  type ChatCommand,
  type ChatOption,
  type ChatParts,
  isSet,
  textOf,
} from './command.ts';
import { SHARE_OPTION } from './options.ts';
import type { ChatReply, ChatText } from './reply.ts';

/** The commands that show one record by its id. */

const ID_OPTION: ChatOption = {
  name: 'id',
  description: 'The id of the record',
  localized: {
    de: ['id', 'Die Id des Eintrags'],
    fr: ['id', 'L’identifiant de l’entrée'],
    es: ['id', 'El id del registro'],
    'pt-BR': ['id', 'O id do registro'],
    ja: ['id', '記録のID'],
  },
  kind: 'text',
  isRequired: true,
  charactersMax: 100,
};

export const discharge: ChatCommand = {
  name: 'discharge',
  description: 'Shows a discharge',
  localized: {
    de: ['entlassung', 'Zeigt eine Entlassung'],
    fr: ['depart', 'Affiche un départ'],
    es: ['baja', 'Muestra una baja'],
    'pt-BR': ['desligamento', 'Mostra um desligamento'],
    ja: ['除隊', '除隊記録を表示します'],
  },
  options: [ID_OPTION, SHARE_OPTION],
  role: 'viewer',
  async run(call, { records }) {
    const found = await records.discharges.show(targetOf(call));
    const { name, reason, type, from, signed, playerId, chatId, date } = found;
    return recordReply(call, {
      title: call.texts.dischargeOf(name),
      reason,
      fields: { kind: type, from, signed, player: playerId, date: dateText(date) },
      member: chatId,
    });
  },
};

export const transfer: ChatCommand = {
  name: 'transfer',
  description: 'Shows a transfer',
  localized: {
    de: ['versetzung', 'Zeigt eine Versetzung'],
    fr: ['mutation', 'Affiche une mutation'],
    es: ['traslado', 'Muestra un traslado'],
    'pt-BR': ['transferencia', 'Mostra uma transferência'],
    ja: ['異動', '異動記録を表示します'],
  },
  options: [ID_OPTION, SHARE_OPTION],
  role: 'viewer',
  async run(call, { records }: ChatParts) {
    const { name, from, to, signed, playerId, date } = await records.transfers.show(targetOf(call));
    return recordReply(call, {
      title: call.texts.transferOf(name),
      fields: { from, to, signed, player: playerId, date: dateText(date) },
    });
  },
};

const targetOf = (call: ChatCall) => ({ guildId: call.guild.guildId, id: textOf(call, 'id') ?? '' });

/** A plain date stays as it is: it is the same day everywhere. */
function dateText(date: string): ChatText {
  const timeMs = Date.parse(date);
  return date.length <= 'yyyy-mm-dd'.length || Number.isNaN(timeMs) ? date : [{ timeMs, as: 'date' }];
}

/** The fields of records, in the order in which they are shown. */
const LABELS = ['kind', 'from', 'to', 'signed', 'player', 'date'] as const;
type Label = (typeof LABELS)[number];

function recordReply(
  call: ChatCall,
  {
    title,
    reason,
    fields,
    member,
  }: { title: string; reason?: string; fields: Partial<Record<Label, ChatText>>; member?: string },
): ChatReply {
  return {
    title,
    lines: [
      ...(member === undefined || member === '' ? [] : [[{ member }]]),
      ...(reason === undefined ? [] : [reason]),
    ],
    fields: LABELS.flatMap((label) => {
      const value = fields[label];
      return value === undefined ? [] : [{ name: call.texts[label], value }];
    }),
    isShared: isSet(call, 'share'),
  };
}
