import { dayOf } from '../calendar.ts';
import { DomainError } from '../errors.ts';
import { UNITS_MAX, UNITS_PER_WHOLE, unitsFromNumber } from '../ledger/amount.ts';
import type { Verification } from '../model.ts';
import { packId, packNumber, unpackId, unpackNumber } from './action-text.ts';
import {
  type ChatCall,
  type ChatCommand,
  type ChatParts,
  type ChatPress,
  numberOf,
  textOf,
} from './command.ts';
import { CANCEL_BUTTONS, cancelButton, requireOwnButton } from './confirming.ts';
import { requireMember, requireOwn } from './members.ts';
import { moneyText } from './money-text.ts';
import { amountOption, MEMBER_OPTION } from './options.ts';
import { Refusal } from './refusal.ts';
import type { ChatReply } from './reply.ts';
import type { PaidInDay } from './settings.ts';

/** The source of payments between members. */
export const CHAT_SOURCE = 'chat';
const CONFIRM_WORD = 'pay';
/** The note has to fit into the action of the button. */
const NOTE_MAX = 30;
const CONFIRM_WITHIN_MS = 900_000;

export const pay: ChatCommand = {
  name: 'pay',
  description: 'Pays another member',
  localized: {
    de: ['zahlen', 'Zahlt einem anderen Mitglied'],
    fr: ['payer', 'Paie un autre membre'],
    es: ['pagar', 'Paga a otro miembro'],
    'pt-BR': ['pagar', 'Paga a outro membro'],
    ja: ['送金', '他のメンバーに送金します'],
  },
  options: [
    { ...MEMBER_OPTION, isRequired: true },
    amountOption(1 / UNITS_PER_WHOLE, {
      en: 'The amount that goes from your account to the member, above zero, such as 250 or 12.5',
      de: 'Der Betrag, der vom eigenen Konto an das Mitglied geht, größer als null, etwa 250 oder 12,5',
      fr: 'Le montant qui passe de votre compte au membre, supérieur à zéro, par exemple 250 ou 12,5',
      es: 'El importe que pasa de tu cuenta al miembro, mayor que cero, por ejemplo 250 o 12,5',
      'pt-BR': 'O valor que passa da sua conta para o membro, maior que zero, por exemplo 250 ou 12,5',
      ja: '自分の口座からメンバーに送る金額（0より大きい数、例：250 または 12.5）',
    }),
    {
      name: 'note',
      description: 'What the payment is for',
      localized: {
        de: ['notiz', 'Wofür die Zahlung ist'],
        fr: ['note', 'L’objet du paiement'],
        es: ['nota', 'Para qué es el pago'],
        'pt-BR': ['nota', 'Para que é o pagamento'],
        ja: ['メモ', '送金の内容'],
      },
      kind: 'text',
      charactersMax: NOTE_MAX,
    },
  ],
  run: askToPay,
  buttons: { [CONFIRM_WORD]: confirm, ...CANCEL_BUTTONS },
};

async function askToPay(call: ChatCall, parts: ChatParts): Promise<ChatReply> {
  const { guild, caller, interactionId, texts } = call;
  const chatId = textOf(call, 'member') ?? '';
  const { from, to } = await requireSides(call, parts, chatId);
  const units = unitsFromNumber('amount', numberOf(call, 'amount') ?? 0);
  assertWithinDay(call, units);
  const { balanceUnits } = await parts.entries.account(guild, from.playerId);
  const note = textOf(call, 'note')?.trim() ?? '';
  const action = [
    CONFIRM_WORD,
    packId(interactionId),
    packId(caller.chatId),
    packId(chatId),
    packNumber(units),
    packNumber(Math.floor(parts.clock.nowMs() / 1_000)),
    note,
  ];
  return {
    title: texts.payTitle(to.username),
    lines: [texts.payLine({ bold: moneyText(units, guild, caller.locale) }, { member: chatId })],
    fields: [
      ...(note === '' ? [] : [{ name: texts.note, value: note }]),
      { name: texts.yourBalanceAfterwards, value: moneyText(balanceUnits - units, guild, caller.locale) },
    ],
    buttons: [{ label: texts.pay, look: 'confirm', action: action.join(' ') }, cancelButton(call)],
  };
}

async function confirm(press: ChatPress, parts: ChatParts): Promise<ChatReply> {
  const [key = '', owner = '', recipient = '', amount = '', asked = '', ...words] = press.values;
  requireOwnButton(press, owner);
  const { guild, caller, texts } = press;
  const askedAtMs = unpackNumber(asked) * 1_000;
  if (!(parts.clock.nowMs() - askedAtMs <= CONFIRM_WITHIN_MS)) {
    throw new Refusal(({ questionTooOld }) => [questionTooOld(pay.name)]);
  }
  const chatId = unpackId(recipient);
  const { from, to } = await requireSides(press, parts, chatId);
  const units = unpackNumber(amount);
  const idempotencyKey = unpackId(key);
  const payment: PaidInDay = { chatId: caller.chatId, day: dayOf(askedAtMs), key: idempotencyKey, units };
  const note = words.join(' ');
  const outcome = await countedInDay(press, parts, payment, () =>
    parts.guildPosts.pay(
      { user: caller },
      guild.guildId,
      {
        fromPlayerId: from.playerId,
        toPlayerId: to.playerId,
        amount: units / UNITS_PER_WHOLE,
        name: note === '' ? texts.paymentName : note,
        source: CHAT_SOURCE,
      },
      idempotencyKey,
    ),
  );
  return {
    title: texts.paid,
    lines: [texts.payLine({ bold: moneyText(units, guild, caller.locale) }, { member: chatId })],
    fields: [
      ...(note === '' ? [] : [{ name: texts.note, value: note }]),
      { name: texts.yourBalance, value: moneyText(outcome.from.balanceUnits, guild, caller.locale) },
    ],
    tone: 'good',
  };
}

/** Both sides of a payment, checked when it is asked for and again when it is confirmed. */
async function requireSides(
  call: ChatCall | ChatPress,
  parts: ChatParts,
  chatId: string,
): Promise<{ from: Verification; to: Verification }> {
  if (!call.settings.membersPay) {
    throw new Refusal((texts) => [texts.membersDoNotPay]);
  }
  if (chatId === call.caller.chatId) {
    throw new Refusal((texts) => [texts.notYourself]);
  }
  return { from: await requireOwn(call, parts), to: await requireMember(chatId, parts) };
}

function assertWithinDay({ settings, guild, caller }: ChatCall, units: number): void {
  if (units > UNITS_MAX || units > (settings.payDayMaxUnits ?? UNITS_MAX)) {
    throw dayLimit(settings.payDayMaxUnits ?? UNITS_MAX, { guild, caller });
  }
}

function dayLimit(maxUnits: number, { guild, caller }: Pick<ChatCall, 'guild' | 'caller'>): Refusal {
  return new Refusal((texts) => [texts.dayLimit(moneyText(maxUnits, guild, caller.locale))]);
}

/** Codes that leave open whether the payment was made. */
const UNCERTAIN: readonly string[] = ['store_unavailable', 'overloaded', 'internal'];

/** Counts the payment against the limit of the day before it is made, and no longer when it is refused. */
async function countedInDay<Result>(
  { guild, caller, settings }: ChatPress,
  { chatStore, entries }: ChatParts,
  payment: PaidInDay,
  work: () => Promise<Result>,
): Promise<Result> {
  const { payDayMaxUnits } = settings;
  if (payDayMaxUnits === undefined) {
    return work();
  }
  if (!(await chatStore.countPayment(guild, payment, payDayMaxUnits))) {
    throw dayLimit(payDayMaxUnits, { guild, caller });
  }
  try {
    return await work();
  } catch (error) {
    const isRefused = error instanceof DomainError && !UNCERTAIN.includes(error.code);
    // A second press of the same button may have paid in the meantime.
    if (isRefused && !(await entries.isKeyUsed(guild, payment.key))) {
      await chatStore.uncountPayment(guild, payment);
    }
    throw error;
  }
}
