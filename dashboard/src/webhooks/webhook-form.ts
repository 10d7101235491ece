import type { Webhook, WebhookChange, WebhookFilter, WebhookKind, WebhookOrder } from '../api/webhooks.ts';
import { expandEvents, namesOf } from './event-texts.ts';

export interface WebhookValues {
  kind: WebhookKind;
  url: string;
  /** Each event of its own, groups expanded. */
  events: string[];
  source: string;
  minTotal: string;
  playerId: string;
  balanceBelow: string;
}

export function webhookValues(webhook?: Webhook): WebhookValues {
  const { source = '', minTotal, playerId = '', balanceBelow } = webhook?.filter ?? {};
  return {
    kind: webhook?.kind ?? 'standard',
    // The address of a channel comes without its token, so that it cannot be sent back.
    url: webhook?.kind === 'standard' ? webhook.url : '',
    events: expandEvents(webhook?.events ?? ['transaction.posted', 'transaction.reversed']),
    source,
    minTotal: amountText(minTotal),
    playerId,
    balanceBelow: amountText(balanceBelow),
  };
}

/** Under which the form is kept; without an id it is a new one. */
export function webhookFormId(webhookId: string | undefined): string {
  return `webhooks/${webhookId ?? 'new'}`;
}

/** What may be kept in the browser: whoever has the address of a chat channel can write there. */
export function draftOf(values: WebhookValues): WebhookValues {
  return values.kind === 'discord' ? { ...values, url: '' } : values;
}

export function toOrder(values: WebhookValues): WebhookOrder {
  const { kind, url } = values;
  return { kind, url: url.trim(), events: eventsOf(values, []), filter: filterOf(values) };
}

/** An address that was left empty stays as it is. */
export function toChange(values: WebhookValues, { events }: Webhook): WebhookChange {
  const url = values.url.trim();
  return { ...(url !== '' && { url }), events: eventsOf(values, events), filter: filterOf(values) };
}

function eventsOf({ events, kind }: WebhookValues, before: readonly string[]): string[] {
  const offered = kind === 'discord' ? events : events.filter((event) => event !== 'summary.weekly');
  return namesOf(offered, before);
}

function filterOf({ source, minTotal, playerId, balanceBelow, events }: WebhookValues): WebhookFilter {
  return {
    ...(source.trim() !== '' && { source: source.trim() }),
    ...(minTotal.trim() !== '' && { minTotal: Number(minTotal.trim()) }),
    ...(playerId.trim() !== '' && { playerId: playerId.trim() }),
    ...(events.includes('balance.below') &&
      balanceBelow.trim() !== '' && { balanceBelow: Number(balanceBelow.trim()) }),
  };
}

/** What is plainly wrong is said here; whether the address may be used is for the service to say. */
export function urlFault(url: string, { isOptional }: { isOptional: boolean }): string | null {
  const text = url.trim();
  if (text === '') return isOptional ? null : 'Give the address';
  return /^https?:\/\/\S+$/i.test(text)
    ? null
    : 'Give a whole address, such as https://example.org/guildbook';
}

export function eventsFault(events: readonly string[]): string | null {
  return events.length === 0 ? 'Choose at least one event' : null;
}

export function totalFault(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || /^\d{1,12}(\.\d{1,4})?$/.test(trimmed)
    ? null
    : 'Give an amount such as 500 or 12.5, or leave it empty';
}

export function lineFault(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || /^-?\d{1,12}(\.\d{1,4})?$/.test(trimmed)
    ? null
    : 'Give an amount such as 0, 100 or -50, or leave it empty';
}

/** The filter in words, one line for each part. */
export function filterInWords({ source, minTotal, playerId, balanceBelow }: WebhookFilter): string[] {
  return [
    ...(source === undefined ? [] : [`Money from the source ${source}`]),
    ...(minTotal === undefined ? [] : [`Money from ${minTotal} on, in or out`]),
    ...(playerId === undefined ? [] : [`What is about the player ${playerId}`]),
    ...(balanceBelow === undefined ? [] : [`Balances that fall below ${balanceBelow}`]),
  ];
}

function amountText(amount: number | undefined): string {
  return amount === undefined ? '' : String(amount);
}
