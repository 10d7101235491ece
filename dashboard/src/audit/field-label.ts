import { t } from '@lingui/core/macro';
import { lazily } from '../components/lazily.ts';

const labels = lazily(
  (): Readonly<Record<string, string>> => ({
    name: t`name`,
    note: t`note`,
    reason: t`reason`,
    type: t`type`,
    from: t({ message: 'from', context: 'former unit' }),
    to: t({ message: 'to', context: 'new unit' }),
    date: t`date`,
    id: t`id`,
    guildId: t`guild id`,
    playerId: t`player id`,
    chatId: t`chat id`,
    movedTo: t`moved to chat account`,
    role: t`role`,
    invitation: t`invitation`,
    usesLeft: t`uses left`,
    expiresAtMs: t`expires at`,
    formerUntilMs: t`old value valid until`,
    keepsAllUntilMs: t`all requests kept until`,
    prefix: t`first characters`,
    scopes: t`scopes`,
    networks: t`used from`,
    routeLimits: t`limits of routes`,
    amountMaxUnits: t`largest amount`,
    withdrawnPerDayMaxUnits: t`most withdrawn per day`,
    refused: t({ message: 'refused', context: 'number of requests' }),
    hour: t`hour`,
    floor: t`lowest balance`,
    quantity: t`quantity`,
    amount: t`amount`,
    total: t`total`,
    reverses: t`reverses`,
    corrects: t`corrects`,
    forced: t`below zero confirmed`,
    kind: t`kind`,
    url: t`url`,
    events: t`events`,
    filter: t`filter`,
    status: t`status`,
    disabledReason: t`reason for disabling`,
    count: t`number of commands`,
    icon: t`icon`,
    ownerChatId: t`chat id of the owner`,
    plan: t`plan`,
    planUntilMs: t`plan until`,
    overdraftAllowed: t`balances below zero allowed`,
    sealPublic: t`seal public`,
    timeZone: t`time zone`,
    currencyName: t`currency name`,
    currencySymbol: t`currency symbol`,
    decimalsShown: t`decimals shown`,
    pastUsers: t`past accounts`,
    username: t`user name`,
    signed: t`signed by`,
    tag: t`version`,
    chatCommandsOff: t`chat commands switched off`,
    chatMembersPay: t`members pay one another in the chat`,
    chatPaidInDay: t`most that a member pays in a day`,
    chatBalancesShown: t`balances of others in the chat`,
    ownAccounts: t`members see their own accounts`,
    boardName: t`name of the board`,
    boardPublished: t`board published`,
    boardNames: t`names on the board`,
    boardLeaderboard: t`leaderboard on the board`,
    boardTotals: t`totals on the board`,
    boardChart: t`chart on the board`,
    boardMovesFrom: t`smallest move on the board`,
    boardCommands: t`commands on the board`,
  }),
);

/** "expiresAtMs" as "expires at": the unit is left out. */
export function fieldLabel(name: string): string {
  const known = Object.hasOwn(labels(), name) ? labels()[name] : undefined;
  if (known !== undefined) return known;
  return name
    .replace(/Ms$/, '')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase();
}
