import type { ChatOption } from './command.ts';

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
