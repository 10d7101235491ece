import type { ChannelTexts, Texts } from '../../texts/texts.ts';
import { isoText } from '../iso-text.ts';
import { decimalText } from '../ledger/amount.ts';
import type { LedgerEntry } from '../ledger/entries.ts';
import { reasonIn } from './disabled-reasons.ts';
import type { DeliveredType, WebhookEvent } from './event.ts';

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

/** The names and the texts of a message. */
interface Named {
  names: PlayerNames;
  texts: Texts;
}

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
  named: Named,
): { embeds: Embed[]; allowed_mentions: object } {
  const embeds: Embed[] = [];
  let characters = 0;
  const shown = events.length > EMBEDS_MAX ? EMBEDS_MAX - 1 : EMBEDS_MAX;
  for (const event of events.slice(0, shown)) {
    const embed = toEmbed(event, named);
    characters += lengthOf(embed);
    // Leaves room for the embed about the other events.
    if (characters > CHARACTERS_MAX - DESCRIPTION_MAX) {
      break;
    }
    embeds.push(embed);
  }
  if (embeds.length < events.length) {
    embeds.push(describeOthers(events.slice(embeds.length), named.texts));
  }
  return chatMessage(embeds);
}

/** `allowed_mentions` is empty, so that no name in a text can mention anybody. */
export function chatMessage(embeds: Embed[]): { embeds: Embed[]; allowed_mentions: object } {
  return { embeds, allowed_mentions: { parse: [] } };
}

function toEmbed(event: WebhookEvent, named: Named): Embed {
  const { subject, atMs } = event;
  const { channel, formats } = named.texts;
  const timestamp = isoText(atMs);
  switch (subject.kind) {
    case 'transaction':
      return { ...entryEmbed(event, subject.entry, named), timestamp };
    case 'payment': {
      const { from, to } = subject;
      const description = channel.paymentFor(amountText(to.totalUnits, named), escapeText(to.name));
      const fields = [
        field(channel.from, nameOf(from, named)),
        field(channel.to, nameOf(to, named)),
        field(channel.source, to.source),
      ];
      return { title: channel.payment, description, color: COLORS.neutral, fields, timestamp };
    }
    case 'balance': {
      const { entry, belowUnits } = subject;
      const title =
        belowUnits === 0 ? channel.overdraft : channel.balanceBelow(formats.amount(decimalText(belowUnits)));
      const description = channel.balanceIs(
        escapeText(nameOf(entry, named)),
        amountText(entry.balanceUnits, named),
      );
      return { title, description, color: COLORS.notice, fields: entryFields(entry, named), timestamp };
    }
    case 'facts':
      return { ...factsEmbed(event, subject.facts, named.texts), timestamp };
  }
}

function amountText(units: number, { texts }: Named): string {
  return texts.formats.amount(decimalText(units));
}

function entryEmbed({ type }: WebhookEvent, entry: LedgerEntry, named: Named): Embed {
  const { channel, formats } = named.texts;
  const isIn = entry.totalUnits > 0;
  const total = `**${isIn ? '+' : ''}${amountText(entry.totalUnits, named)}**`;
  const description = `${total} · ${formats.count(entry.quantity)} × ${escapeText(entry.name)}`;
  const fields = entryFields(entry, named);
  if (type === 'transaction.reversed') {
    return { title: channel.reversed, description, color: COLORS.notice, fields };
  }
  const title = isIn ? channel.deposit : channel.withdrawal;
  return { title, description, color: isIn ? COLORS.in : COLORS.out, fields };
}

/** The verified name with the id, or the id alone. */
function nameOf({ playerId }: LedgerEntry, { names }: Named): string {
  const name = names.get(playerId);
  return name === undefined ? playerId : `${name} (${playerId})`;
}

function entryFields(entry: LedgerEntry, named: Named) {
  const { channel } = named.texts;
  return [
    field(channel.player, nameOf(entry, named)),
    field(channel.source, entry.source),
    { ...field(channel.balance, ''), value: amountText(entry.balanceUnits, named) },
  ];
}

/** Events whose titles depend on their data, and the summary, which has a message of its own. */
type Untitled =
  | 'transaction.posted'
  | 'transaction.reversed'
  | 'payment.posted'
  | 'balance.below'
  | 'summary.weekly';

function factsTitle(type: DeliveredType, channel: ChannelTexts): string {
  const titles: Readonly<Record<Exclude<DeliveredType, Untitled>, string> & { [Type in Untitled]?: never }> =
    channel.titles;
  const title: string | undefined = titles[type];
  return title ?? type;
}

/** Events that somebody should act on. */
const NOTICES: readonly DeliveredType[] = ['key.expiring', 'key.refused', 'webhook.disabled'];

function factsEmbed({ type }: WebhookEvent, facts: Readonly<Record<string, unknown>>, texts: Texts): Embed {
  const { channel } = texts;
  const fields = Object.entries(channel.facts).flatMap(([name, label]) => {
    const shown = factText(name, facts[name], texts);
    return shown === '' ? [] : [field(label, shown)];
  });
  const isNotice = NOTICES.includes(type);
  const message = type === 'webhook.test' ? channel.test : facts.message;
  return {
    title: factsTitle(type, channel),
    ...(typeof message === 'string' && { description: escapeText(message) }),
    color: isNotice ? COLORS.notice : COLORS.neutral,
    ...(fields.length > 0 && { fields }),
  };
}

/** Empty for a fact that has no text. */
function factText(name: string, value: unknown, { channel, formats }: Texts): string {
  if (typeof value === 'number') {
    return formats.count(value);
  }
  if (typeof value !== 'string') {
    return '';
  }
  switch (name) {
    case 'expiresAt': {
      const atMs = Date.parse(value);
      return Number.isNaN(atMs) ? value : formats.minute(atMs);
    }
    case 'disabledReason':
      return reasonIn(value, channel);
    default:
      return value;
  }
}

function describeOthers(events: readonly WebhookEvent[], { channel, formats }: Texts): Embed {
  const totals = events.flatMap(({ subject }) =>
    subject.kind === 'transaction' ? [BigInt(subject.entry.totalUnits)] : [],
  );
  const sum = totals.reduce((one, other) => one + other, 0n);
  const inSafeRange = sum <= Number.MAX_SAFE_INTEGER && sum >= Number.MIN_SAFE_INTEGER;
  const shown = totals.length > 0 && inSafeRange ? formats.amount(decimalText(Number(sum))) : undefined;
  return {
    title: channel.more(events.length),
    description: channel.moreExplained(shown),
    color: COLORS.neutral,
  };
}

function field(name: string, value: string) {
  return { name, value: escapeText(value), inline: true };
}

function lengthOf({ title, description = '', fields = [] }: Embed): number {
  const inFields = fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  return title.length + description.length + inFields;
}

/** How a character is escaped that the chat platform would take for formats, mentions or links. */
const [PLAIN, BACKSLASH, SPACE_AFTER, SPACE_BETWEEN] = [0, 1, 2, 3];
const ESCAPES = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === '@') {
    return SPACE_AFTER;
  }
  return character === '/' ? SPACE_BETWEEN : '\\*_~`|>#[]()<:-'.includes(character) ? BACKSLASH : PLAIN;
});
const ZERO_WIDTH_SPACE = '\u200B';

/**
 * Escapes text so that the chat platform shows it unchanged: no formatting, no mention, no link. A zero-width space
 * separates what a backslash cannot escape: `@` from a name, and two slashes.
 */
export function escapeText(text: string, charactersMax = VALUE_MAX): string {
  const cut = text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
  let escaped = '';
  let start = 0;
  // One look at each character takes less time than an expression. A message has dozens of texts.
  for (let index = 0; index < cut.length; index += 1) {
    const treatment = ESCAPES[cut.charCodeAt(index)] ?? PLAIN;
    if (treatment === BACKSLASH) {
      escaped += `${cut.slice(start, index)}\\`;
      start = index;
    } else if (treatment === SPACE_AFTER || (treatment === SPACE_BETWEEN && cut[index + 1] === '/')) {
      escaped += `${cut.slice(start, index + 1)}${ZERO_WIDTH_SPACE}`;
      start = index + 1;
    }
  }
  // An empty text is refused.
  return cut === '' ? ZERO_WIDTH_SPACE : escaped + cut.slice(start);
}
