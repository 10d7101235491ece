import { type ChatCall, type ChatCommand, type ChatParts, isSet, textOf } from './command.ts';
import { MEMBER_OPTION, SHARE_OPTION } from './options.ts';
import { Refusal } from './refusal.ts';
import type { ChatReply } from './reply.ts';
import { suggestPlayers } from './suggestions.ts';

const PAST_SHOWN = 10;

export const whois: ChatCommand = {
  name: 'whois',
  description: 'Shows the verified account of a member or player, with past accounts',
  localized: {
    de: ['weristdas', 'Zeigt das verifizierte Konto eines Mitglieds oder Spielers mit früheren Konten'],
    fr: ['quiest', 'Affiche le compte vérifié d’un membre ou joueur, avec ses anciens comptes'],
    es: ['quienes', 'Muestra la cuenta verificada de un miembro o jugador, con cuentas anteriores'],
    'pt-BR': ['queme', 'Mostra a conta verificada de um membro ou jogador, com contas anteriores'],
    ja: ['誰', 'メンバーまたはプレイヤーの認証済みアカウントと以前のアカウントを表示します'],
  },
  options: [
    MEMBER_OPTION,
    {
      name: 'player',
      description: 'The name or id of a player in the game',
      localized: {
        de: ['spieler', 'Name oder Id eines Spielers im Spiel'],
        fr: ['joueur', 'Le nom ou l’identifiant d’un joueur'],
        es: ['jugador', 'El nombre o id de un jugador'],
        'pt-BR': ['jogador', 'O nome ou id de um jogador'],
        ja: ['プレイヤー', 'ゲーム内のプレイヤー名またはID'],
      },
      kind: 'text',
      charactersMax: 100,
      suggest: suggestPlayers,
    },
    SHARE_OPTION,
  ],
  run: showPerson,
};

async function showPerson(call: ChatCall, parts: ChatParts): Promise<ChatReply> {
  const [member, player] = [textOf(call, 'member'), textOf(call, 'player')];
  if ((member === undefined) === (player === undefined)) {
    throw new Refusal((texts) => [texts.memberOrPlayer]);
  }
  const { texts } = call;
  const query = member === undefined ? (player ?? '') : `chat:${member}`;
  const { username, chatId, accounts } = await parts.guildPeople.find(call.guild.guildId, query);
  const [present, ...past] = accounts;
  const more = past.length - PAST_SHOWN;
  const pastLines = past.slice(0, PAST_SHOWN).map((account) => `${account.username} (${account.playerId})`);
  return {
    title: username,
    lines: [texts.verifiedAs({ member: chatId }, username, present?.playerId ?? '')],
    fields: [
      {
        name: texts.pastAccounts,
        value: [...pastLines, ...(more > 0 ? [texts.andMore(more)] : [])].join(', ') || texts.none,
      },
    ],
    isShared: isSet(call, 'share'),
  };
}
