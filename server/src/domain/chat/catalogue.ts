import { type ChatCall, type ChatCommand, type ChatParts, isSet, textOf } from './command.ts';
import { SHARE_OPTION } from './options.ts';
import type { ChatReply, ChatText } from './reply.ts';
import { suggestCategories } from './suggestions.ts';

const SHOWN_MAX = 25;

export const catalogue: ChatCommand = {
  name: 'commands',
  description: 'Lists the commands of this server, or those of one category',
  localized: {
    de: ['befehle', 'Listet die Befehle dieses Servers oder einer Kategorie auf'],
    fr: ['commandes', 'Liste les commandes de ce serveur ou d’une catégorie'],
    es: ['comandos', 'Lista los comandos de este servidor o de una categoría'],
    'pt-BR': ['comandos', 'Lista os comandos deste servidor ou de uma categoria'],
    ja: ['コマンド', 'このサーバーまたはカテゴリーのコマンドを一覧表示します'],
  },
  options: [
    {
      name: 'category',
      description: 'A category of commands',
      localized: {
        de: ['kategorie', 'Eine Kategorie von Befehlen'],
        fr: ['categorie', 'Une catégorie de commandes'],
        es: ['categoria', 'Una categoría de comandos'],
        'pt-BR': ['categoria', 'Uma categoria de comandos'],
        ja: ['カテゴリー', 'コマンドのカテゴリー'],
      },
      kind: 'text',
      charactersMax: 100,
      suggest: suggestCategories,
    },
    SHARE_OPTION,
  ],
  run: showCatalogue,
};

async function showCatalogue(call: ChatCall, { commands, describeCommand }: ChatParts): Promise<ChatReply> {
  const { texts, guild } = call;
  const category = textOf(call, 'category');
  const found = await commands.list(category);
  const lines = found
    .slice(0, SHOWN_MAX)
    .map(
      (command): ChatText => [{ bold: `/${command.name}` }, ` · ${describeCommand(command, guild.language)}`],
    );
  const more = found.length - lines.length;
  return {
    title: category ?? texts.commands,
    lines: [
      ...(lines.length === 0 ? [texts.noCommands] : lines),
      ...(more > 0 ? [texts.moreCommands(more)] : []),
    ],
    isShared: isSet(call, 'share'),
  };
}
