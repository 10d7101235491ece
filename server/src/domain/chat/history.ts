import type { ListedTransaction, Verification } from '../model.ts';
import { type ChatCall, type ChatCommand, type ChatParts, type ChatPress, isSet } from './command.ts';
import { requireMember, requireVisible, subjectOf } from './members.ts';
import { changeText, countText } from './money-text.ts';
import { newest } from './newest.ts';
import { MEMBER_OPTION, SHARE_OPTION } from './options.ts';
import type { ChatButton, ChatReply, ChatText } from './reply.ts';

const PAGE = 5;
const PAGE_WORD = 'history';

export const history: ChatCommand = {
  name: 'history',
  description: 'Shows your latest transactions, or those of another member',
  localized: {
    de: ['verlauf', 'Zeigt die eigenen letzten Buchungen oder die eines anderen Mitglieds'],
    fr: ['historique', 'Affiche vos dernières transactions ou celles d’un autre membre'],
    es: ['historial', 'Muestra tus últimas transacciones o las de otro miembro'],
    'pt-BR': ['historico', 'Mostra as suas últimas transações ou as de outro membro'],
    ja: ['履歴', '自分または他のメンバーの最近の取引を表示します'],
  },
  options: [MEMBER_OPTION, SHARE_OPTION],
  async run(call, parts) {
    return showPage(call, parts, {
      person: await subjectOf(call, parts),
      page: 1,
      isShared: isSet(call, 'share'),
    });
  },
  buttons: { [PAGE_WORD]: turnPage },
};

/** The button has the member, the page, and whether the message is shared. Anybody can press a button of a shared one. */
async function turnPage(press: ChatPress, parts: ChatParts): Promise<ChatReply> {
  const [chatId = '', page = '', shared] = press.values;
  requireVisible(press, chatId);
  return showPage(press, parts, {
    person: await requireMember(chatId, parts),
    page: Math.max(1, Number.parseInt(page, 10) || 1),
    isShared: shared === 'shared',
  });
}

async function showPage(
  { guild, caller: { locale }, texts }: Pick<ChatCall, 'guild' | 'caller' | 'texts'>,
  { ledgerStore }: ChatParts,
  { person, page, isShared }: { person: Verification; page: number; isShared: boolean },
): Promise<ChatReply> {
  const { transactions, total } = await ledgerStore.list(guild, person.playerId, newest(PAGE, page));
  const lineOf = ({ totalUnits, name, quantity, source, createdAtMs }: ListedTransaction): ChatText => [
    { bold: changeText(totalUnits, guild, locale) },
    ` · ${quantity === 1 ? '' : `${countText(quantity, locale)} × `}${name} · ${source} · `,
    { timeMs: createdAtMs, as: 'relative' },
  ];
  const pages = Math.max(1, Math.ceil(total / PAGE));
  return {
    title: person.username,
    lines: total === 0 ? [texts.noTransactionsYet] : transactions.map(lineOf),
    ...(total > PAGE && {
      fields: [{ name: texts.page, value: `${countText(page, locale)} / ${countText(pages, locale)}` }],
    }),
    ...(total > PAGE && { buttons: pageButtons(person.chatId, { page, pages, isShared, texts }) }),
    isShared,
  };
}

function pageButtons(
  chatId: string,
  {
    page,
    pages,
    isShared,
    texts,
  }: Pick<ChatCall, 'texts'> & { page: number; pages: number; isShared: boolean },
): ChatButton[] {
  const to = (target: number) => [PAGE_WORD, chatId, target, isShared ? 'shared' : 'own'].join(' ');
  return [
    { label: texts.newer, look: 'plain', action: to(page - 1), isDisabled: page <= 1 },
    { label: texts.older, look: 'plain', action: to(page + 1), isDisabled: page >= pages },
  ];
}
