import { t } from '@lingui/core/macro';
import type { WebhookFilter } from '../api/webhooks.ts';
import { formatMoney } from '../components/money.ts';

/** The filter as text, one line per part. */
export function filterInWords({ source, minTotal, playerId, balanceBelow }: WebhookFilter): string[] {
  return [
    ...(source === undefined ? [] : [t`Money from the source ${source}`]),
    ...(minTotal === undefined ? [] : [moneyFrom(formatMoney(String(minTotal)))]),
    ...(playerId === undefined ? [] : [t`What is about the player ${playerId}`]),
    ...(balanceBelow === undefined ? [] : [balancesBelow(formatMoney(String(balanceBelow)))]),
  ];
}

const moneyFrom = (minTotal: string) => t`Money from ${minTotal} on, in or out`;
const balancesBelow = (balanceBelow: string) => t`Balances that fall below ${balanceBelow}`;

/** Why the service disabled a webhook. It writes its reasons in English; one of another version stays as it is. */
export function disabledReasonText(reason: string): string {
  const [, status] = /^The chat platform answered (\d+): /.exec(reason) ?? [];
  if (status !== undefined) {
    return t`The chat platform answered ${status}: the channel’s webhook is gone or may not be used.`;
  }
  switch (reason) {
    case 'The key that made or last changed it was deleted.':
      return t`The key that made or last changed it was deleted.`;
    case 'The endpoint answered 410 Gone.':
      return t`The endpoint answered 410 Gone.`;
    case 'Every delivery failed for five days.':
      return t`Every delivery failed for five days.`;
    default:
      return reason;
  }
}
