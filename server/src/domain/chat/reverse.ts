import { packId, packUuid, unpackId, unpackUuid } from './action-text.ts';
import { type ChatCall, type ChatCommand, type ChatParts, type ChatPress, textOf } from './command.ts';
import { cancelButton, requireOwnButton } from './confirming.ts';
import { changeText, moneyText } from './money-text.ts';
import { TRANSACTION_OPTION } from './options.ts';
import type { ChatReply } from './reply.ts';

const CONFIRM_WORD = 'reverse';
/** The reason has to fit into the action of the button. */
const REASON_MAX = 35;

export const reverse: ChatCommand = {
  name: 'reverse',
  description: 'Reverses a transaction, with the other side of its payment',
  localized: {
    de: ['stornieren', 'Storniert eine Buchung, samt der anderen Seite ihrer Zahlung'],
    fr: ['annuler', 'Contre-passe une transaction, avec l’autre côté de son paiement'],
    es: ['revertir', 'Revierte una transacción, con la otra parte de su pago'],
    'pt-BR': ['reverter', 'Estorna uma transação, com o outro lado do seu pagamento'],
    ja: ['取消', '取引を、送金の相手側も含めて取り消します'],
  },
  options: [
    TRANSACTION_OPTION,
    {
      name: 'reason',
      description: 'Why it is reversed',
      localized: {
        de: ['grund', 'Warum sie storniert wird'],
        fr: ['raison', 'Pourquoi elle est annulée'],
        es: ['motivo', 'Por qué se revierte'],
        'pt-BR': ['motivo', 'Por que é revertida'],
        ja: ['理由', '取り消す理由'],
      },
      kind: 'text',
      isRequired: true,
      charactersMax: REASON_MAX,
    },
  ],
  role: 'treasurer',
  run: askToReverse,
  buttons: { [CONFIRM_WORD]: confirm },
};

async function askToReverse(call: ChatCall, { guildLedger }: ChatParts): Promise<ChatReply> {
  const { guild, caller, interactionId, texts } = call;
  const reason = textOf(call, 'reason')?.trim() ?? '';
  const found = await guildLedger.transaction(guild.guildId, textOf(call, 'transaction') ?? '');
  const { transactionId, totalUnits, name, source, playerId, username, paymentId, createdAtMs } = found;
  const action = [
    CONFIRM_WORD,
    packId(interactionId),
    packId(caller.chatId),
    packUuid(transactionId),
    reason,
  ];
  return {
    title: texts.reverseTitle,
    lines: [
      [
        { bold: changeText(totalUnits, guild, caller.locale) },
        ` · ${name} · ${source} · ${username ?? playerId} · `,
        { timeMs: createdAtMs, as: 'relative' },
      ],
      ...(paymentId === undefined ? [] : [texts.otherSideToo]),
    ],
    fields: [{ name: texts.reason, value: reason }],
    buttons: [{ label: texts.reverse, look: 'danger', action: action.join(' ') }, cancelButton(call)],
  };
}

async function confirm(press: ChatPress, { guildLedger }: ChatParts): Promise<ChatReply> {
  const [key = '', owner = '', transaction = '', ...reason] = press.values;
  requireOwnButton(press, owner);
  const { guild, caller, texts } = press;
  const { reversals } = await guildLedger.reverse(
    { user: caller },
    guild.guildId,
    { transactionIds: [unpackUuid(transaction)], reason: reason.join(' ') },
    unpackId(key),
  );
  return {
    title: texts.reversed,
    lines: reversals.map(({ playerId, totalUnits, balanceUnits }) => [
      { bold: changeText(totalUnits, guild, caller.locale) },
      ` · ${playerId} · ${texts.nowAt(moneyText(balanceUnits, guild, caller.locale))}`,
    ]),
    fields: [{ name: texts.reason, value: reason.join(' ') }],
    tone: 'good',
  };
}
