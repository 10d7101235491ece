import { readBalances } from './balance-days.ts';
import { type ChatCall, type ChatCommand, type ChatParts, isSet } from './command.ts';
import { subjectOf } from './members.ts';
import { changeText, countText, moneyText } from './money-text.ts';
import { newest } from './newest.ts';
import { MEMBER_OPTION, SHARE_OPTION } from './options.ts';
import type { ChatReply } from './reply.ts';

export const balance: ChatCommand = {
  name: 'balance',
  description: 'Shows your balance, or that of another member',
  localized: {
    de: ['kontostand', 'Zeigt den eigenen Kontostand oder den eines anderen Mitglieds'],
    fr: ['solde', 'Affiche votre solde ou celui d’un autre membre'],
    es: ['saldo', 'Muestra tu saldo o el de otro miembro'],
    'pt-BR': ['saldo', 'Mostra o seu saldo ou o de outro membro'],
    ja: ['残高', '自分または他のメンバーの残高を表示します'],
  },
  options: [MEMBER_OPTION, SHARE_OPTION],
  run: showBalance,
};

async function showBalance(call: ChatCall, parts: ChatParts): Promise<ChatReply> {
  const { guild, caller, texts } = call;
  const { chatId, playerId, username } = await subjectOf(call, parts);
  const [account, { transactions }] = await Promise.all([
    parts.entries.account(guild, playerId),
    parts.ledgerStore.list(guild, playerId, newest(1)),
  ]);
  const { locale } = caller;
  const [last] = transactions;
  return {
    title: username,
    lines: [[{ bold: moneyText(account.balanceUnits, guild, locale) }], [{ member: chatId }]],
    fields: [
      {
        name: texts.lastChange,
        value:
          last === undefined
            ? texts.noChangeYet
            : [
                `${changeText(last.totalUnits, guild, locale)} · ${last.name} · `,
                { timeMs: last.createdAtMs, as: 'relative' },
              ],
      },
      { name: texts.transactions, value: countText(account.transactionCount, locale) },
    ],
    ...(last !== undefined && { readPicture: () => readBalances(guild, playerId, parts) }),
    isShared: isSet(call, 'share'),
  };
}
