import { hasRole } from '../access/roles.ts';
import { DomainError } from '../errors.ts';
import { type ChatCall, type ChatCommand, type ChatParts, isSet, textOf } from './command.ts';
import type { ChatChoice } from './interaction.ts';
import { changeText } from './money-text.ts';
import { SHARE_OPTION, TRANSACTION_OPTION } from './options.ts';
import { Refusal } from './refusal.ts';
import type { ChatReply } from './reply.ts';
import { suggestOwnTransactions, suggestTransactions } from './suggestions.ts';

/** A longer address does not fit into a message. */
const ADDRESS_MAX = 3_500;

export const receipt: ChatCommand = {
  name: 'receipt',
  description: 'Gives a link that proves that a transaction is in the sealed ledger',
  localized: {
    de: ['beleg', 'Gibt einen Link, der belegt, dass eine Buchung im versiegelten Kassenbuch steht'],
    fr: ['recu', 'Donne un lien qui prouve qu’une transaction est dans le registre scellé'],
    es: ['recibo', 'Da un enlace que prueba que una transacción está en el libro mayor sellado'],
    'pt-BR': ['recibo', 'Dá um link que prova que uma transação está no livro-razão selado'],
    ja: ['領収書', '取引が封印された台帳にあることを証明するリンクを表示します'],
  },
  options: [{ ...TRANSACTION_OPTION, suggest: suggestVisible }, SHARE_OPTION],
  run: showReceipt,
};

async function showReceipt(call: ChatCall, parts: ChatParts): Promise<ChatReply> {
  const { guild, caller, texts } = call;
  const found = await parts.guildLedger.transaction(guild.guildId, textOf(call, 'transaction') ?? '');
  const own = await parts.verificationStore.find(['chat'], caller.chatId);
  const isVisible =
    own?.playerId === found.playerId || call.settings.balancesShown || (await maySeeAll(call));
  if (!isVisible) {
    // The same reply as for one that does not exist, so that nobody can try ids.
    throw new DomainError('transaction_not_found');
  }
  const { transactionId, totalUnits, name, username, playerId, createdAtMs } = found;
  return {
    title: texts.receipt,
    lines: [
      [
        { bold: changeText(totalUnits, guild, caller.locale) },
        ` · ${name} · ${username ?? playerId} · `,
        { timeMs: createdAtMs, as: 'date' },
      ],
      [{ link: await addressOf(call, parts, transactionId), label: texts.checkReceipt }],
    ],
    isShared: isSet(call, 'share'),
  };
}

async function maySeeAll({ findRole }: ChatCall): Promise<boolean> {
  const role = await findRole();
  return role !== undefined && hasRole(role, 'viewer');
}

/** The receipt is in the fragment of the address, which browsers do not send to servers. */
async function addressOf(
  { guild }: ChatCall,
  { receiptText, publicOrigin }: ChatParts,
  transactionId: string,
): Promise<string> {
  const text = Buffer.from(await receiptText(guild, transactionId)).toString('base64url');
  const origin = publicOrigin();
  const address = `${origin ?? ''}/receipt#receipt=${text}`;
  if (origin === undefined || address.length > ADDRESS_MAX) {
    throw new Refusal((texts) => [texts.noReceiptLink]);
  }
  return address;
}

async function suggestVisible(call: ChatCall, typed: string, parts: ChatParts): Promise<ChatChoice[]> {
  return (await maySeeAll(call))
    ? suggestTransactions(call, typed, parts)
    : suggestOwnTransactions(call, typed, parts);
}
