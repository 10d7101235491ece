import { unitsFromNumber } from '../ledger/amount.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import type { WebhookEvent } from './event.ts';
import { selects } from './event-types.ts';
import type { Webhook, WebhookFilter } from './webhook.ts';

/**
 * True when an endpoint wants an event. The filters by source and minimum total apply to transactions and payments,
 * the filter by player to all events about players.
 */
export function isWanted(
  { events, filter }: Pick<Webhook, 'events' | 'filter'>,
  event: WebhookEvent,
): boolean {
  const { type, subject } = event;
  if (type === 'webhook.test' || type === 'webhook.disabled') {
    return true;
  }
  if (!selects(events, type)) {
    return false;
  }
  switch (subject.kind) {
    case 'transaction':
      return isOfPlayer(filter, [subject.entry.playerId]) && isMoneyWanted(filter, subject.entry);
    case 'payment': {
      const { from, to } = subject;
      return isOfPlayer(filter, [from.playerId, to.playerId]) && isMoneyWanted(filter, to);
    }
    case 'balance':
      return isOfPlayer(filter, [subject.entry.playerId]);
    case 'facts':
      return subject.playerIds.length === 0 || isOfPlayer(filter, subject.playerIds);
  }
}

/** `balance.below` is sent when a balance falls below this; by default zero. */
export function balanceBelowUnits({ balanceBelow = 0 }: WebhookFilter): number {
  return unitsFromNumber('filter.balanceBelow', balanceBelow);
}

/** True when this transaction took its account from the line or above to below it. */
export function fellBelow({ balanceUnits, totalUnits }: LedgerEntry, lineUnits: number): boolean {
  return balanceUnits < lineUnits && balanceUnits - totalUnits >= lineUnits;
}

function isOfPlayer({ playerId }: WebhookFilter, playerIds: readonly string[]): boolean {
  return playerId === undefined || playerIds.includes(playerId);
}

function isMoneyWanted({ source, minTotal = 0 }: WebhookFilter, entry: LedgerEntry): boolean {
  return (
    (source === undefined || entry.source === source) &&
    Math.abs(entry.totalUnits) >= unitsFromNumber('filter.minTotal', minTotal)
  );
}
