import { UNITS_MAX, UNITS_PER_WHOLE } from '../ledger/amount.ts';
import type { ChatLanguage, ChatOption } from './command.ts';
import { suggestTransactions } from './suggestions.ts';

/** Options that several commands have. */

export const MEMBER_OPTION: ChatOption = {
  name: 'member',
  description: 'Another member of this server',
  localized: {
    de: ['mitglied', 'Ein anderes Mitglied dieses Servers'],
    fr: ['membre', 'Un autre membre de ce serveur'],
    es: ['miembro', 'Otro miembro de este servidor'],
    'pt-BR': ['membro', 'Outro membro deste servidor'],
    ja: ['メンバー', 'このサーバーの他のメンバー'],
  },
  kind: 'member',
};

export const SHARE_OPTION: ChatOption = {
  name: 'share',
  description: 'Show the reply to everybody in this channel',
  localized: {
    de: ['teilen', 'Die Antwort allen in diesem Kanal zeigen'],
    fr: ['partager', 'Montrer la réponse à tout le salon'],
    es: ['compartir', 'Mostrar la respuesta a todo el canal'],
    'pt-BR': ['compartilhar', 'Mostrar a resposta a todos neste canal'],
    ja: ['共有', '返信をこのチャンネルの全員に表示します'],
  },
  kind: 'flag',
};

/** The amount of a command that moves money. Each says in its own words what the amount does. */
export function amountOption(
  min: number,
  descriptions: Readonly<Record<'en' | ChatLanguage, string>>,
): ChatOption {
  const { en, de, fr, es, 'pt-BR': ptBr, ja } = descriptions;
  return {
    name: 'amount',
    description: en,
    localized: {
      de: ['betrag', de],
      fr: ['montant', fr],
      es: ['importe', es],
      'pt-BR': ['valor', ptBr],
      ja: ['金額', ja],
    },
    kind: 'number',
    isRequired: true,
    min,
    max: UNITS_MAX / UNITS_PER_WHOLE,
  };
}

export const TRANSACTION_OPTION: ChatOption = {
  name: 'transaction',
  description: 'The transaction, by its id',
  localized: {
    de: ['buchung', 'Die Buchung, mit ihrer Id'],
    fr: ['transaction', 'La transaction, par son identifiant'],
    es: ['transaccion', 'La transacción, por su id'],
    'pt-BR': ['transacao', 'A transação, pelo seu id'],
    ja: ['取引', '取引のID'],
  },
  kind: 'text',
  isRequired: true,
  charactersMax: 100,
  suggest: suggestTransactions,
};
