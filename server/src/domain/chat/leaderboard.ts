import { RANKS_COUNTED_MAX } from '../ledger/ledger-views.ts';
import { type ChatCall, type ChatCommand, type ChatParts, isSet } from './command.ts';
import { countText, moneyText } from './money-text.ts';
import { SHARE_OPTION } from './options.ts';
import type { ChatReply, ChatText } from './reply.ts';

const SHOWN = 10;

export const leaderboard: ChatCommand = {
  name: 'leaderboard',
  description: 'Shows the ten largest balances and your own rank',
  localized: {
    de: ['rangliste', 'Zeigt die zehn höchsten Kontostände und den eigenen Rang'],
    fr: ['classement', 'Affiche les dix plus gros soldes et votre rang'],
    es: ['clasificacion', 'Muestra los diez saldos más altos y tu puesto'],
    'pt-BR': ['classificacao', 'Mostra os dez maiores saldos e a sua posição'],
    ja: ['ランキング', '残高の上位10人と自分の順位を表示します'],
  },
  options: [SHARE_OPTION],
  run: showLeaders,
};

async function showLeaders(call: ChatCall, parts: ChatParts): Promise<ChatReply> {
  const { guild, caller, texts } = call;
  const { locale } = caller;
  const [leaders, own] = await Promise.all([
    parts.views.largestBalances(guild, SHOWN),
    parts.verificationStore.find(['chat'], caller.chatId),
  ]);
  const lines = leaders.map(
    ({ playerId, username, balanceUnits }, index): ChatText => [
      { bold: countText(index + 1, locale) },
      ` · ${username ?? playerId} · ${moneyText(balanceUnits, guild, locale)}`,
    ],
  );
  return {
    title: texts.leaderboard,
    lines: lines.length === 0 ? [texts.nobodyYet] : lines,
    fields: own === undefined ? [] : [{ name: texts.you, value: await ownRank(call, parts, own.playerId) }],
    isShared: isSet(call, 'share'),
  };
}

async function ownRank(
  { guild, caller: { locale }, texts }: ChatCall,
  parts: ChatParts,
  playerId: string,
): Promise<string> {
  const { balanceUnits, transactionCount } = await parts.entries.account(guild, playerId);
  if (transactionCount === 0) {
    return texts.noAccountYet;
  }
  const above = await parts.views.countAbove(guild, balanceUnits);
  const rank =
    above >= RANKS_COUNTED_MAX
      ? texts.afterFirst(countText(RANKS_COUNTED_MAX, locale))
      : texts.rank(countText(above + 1, locale));
  return `${rank} · ${moneyText(balanceUnits, guild, locale)}`;
}
