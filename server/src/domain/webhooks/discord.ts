import { isoText } from '../iso-text.ts';
import { decimalText } from '../ledger/amount.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import type { DeliveredType, WebhookEvent } from './event.ts';
import { type EventType, titleOf } from './event-types.ts';

/** Discord's limits for a message and an embed. */
export const EMBEDS_MAX = 10;
const CHARACTERS_MAX = 6_000;
const DESCRIPTION_MAX = 400;
const VALUE_MAX = 200;

const COLORS = { in: 0x2f9e44, out: 0xe03131, notice: 0xf08c00, neutral: 0x4263eb } as const;

export interface Embed {
  title: string;
  description?: string;
  color: number;
  fields?: { name: string; value: string; inline: boolean }[];
  timestamp?: string;
  footer?: { text: string };
  image?: { url: string };
}

/** Verified names by player id. */
export type PlayerNames = ReadonlyMap<string, string>;

/** The players that a message about these events names. */
export function playersIn(events: readonly WebhookEvent[]): string[] {
  return [...new Set(events.slice(0, EMBEDS_MAX).flatMap(playersOf))];
}

function playersOf({ subject }: WebhookEvent): string[] {
  switch (subject.kind) {
    case 'payment':
      return [subject.from.playerId, subject.to.playerId];
    case 'facts':
      return [];
    case 'transaction':
    case 'balance':
      return [subject.entry.playerId];
  }
}

/** One message for all collected events. When they do not fit, the last embed shows the number of the others. */
export function toChatMessage(
  events: readonly WebhookEvent[],
  names: PlayerNames,
): { embeds: Embed[]; allowed_mentions: object } {
  const embeds: Embed[] = [];
  let characters = 0;
  const shown = events.length > EMBEDS_MAX ? EMBEDS_MAX - 1 : EMBEDS_MAX;
  for (const event of events.slice(0, shown)) {
    const embed = toEmbed(event, names);
    characters += lengthOf(embed);
    // Leaves room for the embed about the other events.
    if (characters > CHARACTERS_MAX - DESCRIPTION_MAX) {
      break;
    }
    embeds.push(embed);
  }
  if (embeds.length < events.length) {
    embeds.push(describeOthers(events.slice(embeds.length)));
  }
  return chatMessage(embeds);
}

/** `allowed_mentions` is empty, so that no name in a text can mention anybody. */
export function chatMessage(embeds: Embed[]): { embeds: Embed[]; allowed_mentions: object } {
  return { embeds, allowed_mentions: { parse: [] } };
}

function toEmbed(event: WebhookEvent, names: PlayerNames): Embed {
  const { subject, atMs } = event;
  const timestamp = isoText(atMs);
  switch (subject.kind) {
    case 'transaction':
      return { ...entryEmbed(event, subject.entry, names), timestamp };
    case 'payment': {
      const { from, to } = subject;
      const description = `**${decimalText(to.totalUnits)}** for ${escapeText(to.name)}`;
      const fields = [
        field('From', nameOf(from, names)),
        field('To', nameOf(to, names)),
        field('Source', to.source),
      ];
      return { title: 'Payment', description, color: COLORS.neutral, fields, timestamp };
    }
    case 'balance': {
      const { entry, belowUnits } = subject;
      const title = belowUnits === 0 ? 'Overdraft' : `Balance below ${decimalText(belowUnits)}`;
      const description = `${escapeText(nameOf(entry, names))} is at **${decimalText(entry.balanceUnits)}**`;
      return { title, description, color: COLORS.notice, fields: entryFields(entry, names), timestamp };
    }
    case 'facts':
      return { ...factsEmbed(event, subject.facts), timestamp };
  }
}

function entryEmbed({ type }: WebhookEvent, entry: LedgerEntry, names: PlayerNames): Embed {
  const isIn = entry.totalUnits > 0;
  const total = `**${isIn ? '+' : ''}${decimalText(entry.totalUnits)}**`;
  const description = `${total} · ${entry.quantity} × ${escapeText(entry.name)}`;
  if (type === 'transaction.reversed') {
    const color = COLORS.notice;
    return { title: 'Transaction reversed', description, color, fields: entryFields(entry, names) };
  }
  const title = isIn ? 'Deposit' : 'Withdrawal';
  return { title, description, color: isIn ? COLORS.in : COLORS.out, fields: entryFields(entry, names) };
}

/** The verified name with the id, or the id alone. */
function nameOf({ playerId }: LedgerEntry, names: PlayerNames): string {
  const name = names.get(playerId);
  return name === undefined ? playerId : `${name} (${playerId})`;
}

function entryFields(entry: LedgerEntry, names: PlayerNames) {
  return [
    field('Player', nameOf(entry, names)),
    field('Source', entry.source),
    { ...field('Balance', ''), value: decimalText(entry.balanceUnits) },
  ];
}

/** The titles of messages that are delivered without being selected. */
const UNSELECTED_TITLES = {
  'webhook.test': 'Test',
  'webhook.disabled': 'A webhook was disabled',
} as const satisfies Record<Exclude<DeliveredType, EventType>, string>;

function factsTitle(type: DeliveredType): string {
  const title =
    type === 'webhook.test' || type === 'webhook.disabled' ? UNSELECTED_TITLES[type] : titleOf(type);
  return title ?? type;
}

/** The facts that are shown, with their labels. */
const SHOWN = {
  name: 'Name',
  username: 'User name',
  playerId: 'Player',
  type: 'Kind',
  from: 'From',
  to: 'To',
  expiresAt: 'Expires',
  refused: 'Refused in an hour',
  disabledReason: 'Reason',
  size: 'Transactions',
  root: 'Root',
} as const;

/** Events that somebody should act on. */
const NOTICES: readonly DeliveredType[] = ['key.expiring', 'key.refused', 'webhook.disabled'];

function factsEmbed({ type }: WebhookEvent, facts: Readonly<Record<string, unknown>>): Embed {
  const fields = Object.entries(SHOWN).flatMap(([name, label]) => {
    const value = facts[name];
    const text = typeof value === 'string' && name === 'expiresAt' ? minuteText(value) : value;
    const shown = typeof text === 'number' ? String(text) : text;
    return typeof shown === 'string' && shown !== '' ? [field(label, shown)] : [];
  });
  const isNotice = NOTICES.includes(type);
  const { message } = facts;
  return {
    title: factsTitle(type),
    ...(typeof message === 'string' && { description: escapeText(message) }),
    color: isNotice ? COLORS.notice : COLORS.neutral,
    ...(fields.length > 0 && { fields }),
  };
}

/** `2026-11-18T04:43:21.496Z` in a readable form. */
function minuteText(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

function describeOthers(events: readonly WebhookEvent[]): Embed {
  const totals = events.flatMap(({ subject }) =>
    subject.kind === 'transaction' ? [BigInt(subject.entry.totalUnits)] : [],
  );
  const sum = totals.reduce((one, other) => one + other, 0n);
  const inSafeRange = sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER;
  const money =
    totals.length > 0 && inSafeRange ? ` Their totals add up to ${decimalText(Number(sum))}.` : '';
  const description = `The dashboard shows all of them.${money}`;
  return { title: `And ${events.length} more`, description, color: COLORS.neutral };
}

function field(name: string, value: string) {
  return { name, value: escapeText(value), inline: true };
}

function lengthOf({ title, description = '', fields = [] }: Embed): number {
  const inFields = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return title.length + description.length + inFields;
}

/**
 * Escapes text so that the chat platform shows it unchanged: no formatting, no mention, no link. A zero-width space
 * separates what a backslash cannot escape.
 */
export function escapeText(text: string, charactersMax = VALUE_MAX): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
  const escaped = cut
    .replaceAll(/[\\*_~`|>#[\]()<:-]/g, (mark) => `\\${mark}`)
    .replaceAll('@', '@\u200B')
    .replaceAll('//', '/\u200B/');
  return escaped === '' ? '\u200B' : escaped;
}
