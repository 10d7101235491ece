import { t } from '@lingui/core/macro';
import { expandEvents } from '../access/event-labels.ts';
import type { Webhook, WebhookChange, WebhookFilter, WebhookKind, WebhookOrder } from '../api/webhooks.ts';
import { plainAmount, typedAmount } from '../components/typed-amount.ts';
import { namesOf } from './event-texts.ts';

export interface WebhookValues {
  name: string;
  kind: WebhookKind;
  url: string;
  /** Single events, with groups expanded. */
  events: string[];
  source: string;
  minTotal: string;
  playerId: string;
  balanceBelow: string;
}

export function webhookValues(webhook?: Webhook): WebhookValues {
  const { source = '', minTotal, playerId = '', balanceBelow } = webhook?.filter ?? {};
  return {
    name: webhook?.name ?? '',
    kind: webhook?.kind ?? 'standard',
    // The service masks the token in the address of a channel, so that the address cannot be sent back.
    url: webhook?.kind === 'standard' ? webhook.url : '',
    events: expandEvents(webhook?.events ?? ['transaction.posted', 'transaction.reversed']),
    source,
    minTotal: amountText(minTotal),
    playerId,
    balanceBelow: amountText(balanceBelow),
  };
}

/** The form id, for its draft; without an id, that of a new webhook. */
export function webhookFormId(webhookId: string | undefined): string {
  return `webhooks/${webhookId ?? 'new'}`;
}

/**
 * The values that may be stored in the browser. The address of a chat channel is left out: everybody who has it can
 * write there.
 */
export function draftOf(values: WebhookValues): WebhookValues {
  return values.kind === 'discord' ? { ...values, url: '' } : values;
}

export function toOrder(values: WebhookValues): WebhookOrder {
  const { kind, url } = values;
  const name = values.name.trim();
  return {
    ...(name !== '' && { name }),
    kind,
    url: url.trim(),
    events: eventsOf(values, []),
    filter: filterOf(values),
  };
}

/** An empty address keeps the present one. */
export function toChange(values: WebhookValues, { events }: Webhook): WebhookChange {
  const url = values.url.trim();
  const name = values.name.trim() || null;
  return { name, ...(url !== '' && { url }), events: eventsOf(values, events), filter: filterOf(values) };
}

function eventsOf({ events, kind }: WebhookValues, before: readonly string[]): string[] {
  const offered = kind === 'discord' ? events : events.filter((event) => event !== 'summary.weekly');
  return namesOf(offered, before);
}

function filterOf({ source, minTotal, playerId, balanceBelow, events }: WebhookValues): WebhookFilter {
  return {
    ...(source.trim() !== '' && { source: source.trim() }),
    ...(minTotal.trim() !== '' && { minTotal: Number(plainAmount(minTotal)) }),
    ...(playerId.trim() !== '' && { playerId: playerId.trim() }),
    ...(events.includes('balance.below') &&
      balanceBelow.trim() !== '' && { balanceBelow: Number(plainAmount(balanceBelow)) }),
  };
}

/** Finds obvious mistakes only; the service checks whether the address may be used. */
export function urlFault(url: string, { isOptional }: { isOptional: boolean }): string | null {
  const text = url.trim();
  if (text === '') return isOptional ? null : t`Give the address`;
  return /^https?:\/\/\S+$/i.test(text)
    ? null
    : t`Give a whole address, such as https://example.org/guildbook`;
}

export function eventsFault(events: readonly string[]): string | null {
  return events.length === 0 ? t`Choose at least one event` : null;
}

export function totalFault(text: string): string | null {
  const trimmed = plainAmount(text).trim();
  return trimmed === '' || /^\d{1,12}(\.\d{1,4})?$/.test(trimmed)
    ? null
    : t`Give an amount such as 500 or 12.5, or leave it empty`;
}

export function lineFault(text: string): string | null {
  const trimmed = plainAmount(text).trim();
  return trimmed === '' || /^-?\d{1,12}(\.\d{1,4})?$/.test(trimmed)
    ? null
    : t`Give an amount such as 0, 100 or -50, or leave it empty`;
}

function amountText(amount: number | undefined): string {
  return amount === undefined ? '' : typedAmount(String(amount));
}
