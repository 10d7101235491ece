import { UNITS_MAX, UNITS_PER_WHOLE } from '../ledger/amount.ts';
import { type ChatCall, type ChatCommand, type ChatParts, numberOf, textOf } from './command.ts';
import { requireMember } from './members.ts';
import { changeText, countText, moneyText } from './money-text.ts';
import { amountOption, MEMBER_OPTION } from './options.ts';
import type { ChatReply } from './reply.ts';
import { suggestItems, suggestSources } from './suggestions.ts';

/** The length that the interface accepts. */
const TEXT_MAX = 256;

export const post: ChatCommand = {
  name: 'post',
  description: 'Posts a transaction for a member',
  localized: {
    de: ['buchen', 'Legt eine Buchung für ein Mitglied an'],
    fr: ['inscrire', 'Enregistre une transaction pour un membre'],
    es: ['registrar', 'Registra una transacción para un miembro'],
    'pt-BR': ['lancar', 'Lança uma transação para um membro'],
    ja: ['記帳', 'メンバーの取引を記帳します'],
  },
  options: [
    { ...MEMBER_OPTION, isRequired: true },
    amountOption(-(UNITS_MAX / UNITS_PER_WHOLE), {
      en: 'The amount per item: 12.5 deposits it, -12.5 withdraws it from the member’s account',
      de: 'Der Betrag je Stück: 12,5 zahlt ihn auf das Konto des Mitglieds ein, -12,5 hebt ihn ab',
      fr: 'Le montant par pièce : 12,5 le dépose sur le compte du membre, -12,5 l’en retire',
      es: 'El importe por unidad: 12,5 lo deposita en la cuenta del miembro, -12,5 lo retira',
      'pt-BR': 'O valor por unidade: 12,5 o deposita na conta do membro, -12,5 o retira',
      ja: '1個あたりの金額。12.5 はメンバーの口座への入金、-12.5 は出金になります',
    }),
    {
      name: 'quantity',
      description: 'How many items: the amount counts once for each',
      localized: {
        de: ['menge', 'Wie viele Stück: der Betrag zählt für jedes einmal'],
        fr: ['quantite', 'Le nombre de pièces : le montant compte une fois pour chacune'],
        es: ['cantidad', 'Cuántas unidades: el importe cuenta una vez por cada una'],
        'pt-BR': ['quantidade', 'Quantas unidades: o valor conta uma vez para cada uma'],
        ja: ['数量', '個数。金額は1個ごとに加算されます'],
      },
      kind: 'integer',
      isRequired: true,
      min: 1,
      max: 1_000_000_000,
    },
    {
      name: 'name',
      description: 'What the transaction is for',
      localized: {
        de: ['name', 'Wofür die Buchung ist'],
        fr: ['nom', 'L’objet de la transaction'],
        es: ['nombre', 'Para qué es la transacción'],
        'pt-BR': ['nome', 'Para que é a transação'],
        ja: ['名前', '取引の内容'],
      },
      kind: 'text',
      isRequired: true,
      charactersMax: TEXT_MAX,
      suggest: suggestItems,
    },
    {
      name: 'source',
      description: 'Where the transaction comes from',
      localized: {
        de: ['quelle', 'Woher die Buchung kommt'],
        fr: ['source', 'D’où vient la transaction'],
        es: ['origen', 'De dónde viene la transacción'],
        'pt-BR': ['origem', 'De onde vem a transação'],
        ja: ['発生元', '取引の発生元'],
      },
      kind: 'text',
      isRequired: true,
      charactersMax: TEXT_MAX,
      suggest: suggestSources,
    },
  ],
  role: 'treasurer',
  run: postTransaction,
};

async function postTransaction(call: ChatCall, parts: ChatParts): Promise<ChatReply> {
  const { guild, caller, interactionId, texts } = call;
  const { locale } = caller;
  const person = await requireMember(textOf(call, 'member') ?? '', parts);
  const [amount = 0, quantity = 1] = [numberOf(call, 'amount'), numberOf(call, 'quantity')];
  const [name = '', source = ''] = [textOf(call, 'name')?.trim(), textOf(call, 'source')?.trim()];
  const { transactionId, balanceUnits } = await parts.guildLedger.correct(
    { user: caller },
    guild.guildId,
    { playerId: person.playerId, amount, quantity, name, source },
    interactionId,
  );
  const { totalUnits } = await parts.guildLedger.transaction(guild.guildId, transactionId);
  return {
    title: texts.posted,
    lines: [
      [
        { bold: changeText(totalUnits, guild, locale) },
        ` · ${countText(quantity, locale)} × ${name} · ${source} · `,
        { member: person.chatId },
      ],
    ],
    fields: [
      { name: texts.balance, value: moneyText(balanceUnits, guild, locale) },
      { name: texts.transaction, value: transactionId },
    ],
    tone: 'good',
  };
}
