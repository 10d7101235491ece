import type { Guild } from '../api/guilds.ts';
import type { ApiKey } from '../api/keys.ts';
import type { Overview, Unusual } from '../api/overview.ts';
import type { RefusalJump } from '../api/requests.ts';
import type { Webhook } from '../api/webhooks.ts';
import { overviewAddress } from '../components/addresses.ts';
import { formatDay } from '../components/days.ts';
import { formatMoney, parseMoney, roundMoney } from '../components/money.ts';
import { momentInWords } from '../components/time.ts';
import { reasonText } from '../keys/key-usage.ts';
import { stateOf, titleOf } from '../webhooks/webhook-state.ts';
import { daysOf, rowsAddress } from './links.ts';

/** Something that a person should look at, with the page where it is handled. */
export interface Attention {
  id: string;
  tone: 'danger' | 'warning';
  title: string;
  detail: string;
  action: string;
  to: string;
}

const expiredShownMs = 30 * 86_400_000;
const namesMax = 3;
const timesMax = 1000n;

/** Webhooks that deliver nothing any more, or whose last deliveries failed. */
export function webhookAttention(guild: Guild, webhooks: readonly Webhook[]): Attention[] {
  const pick = (...states: string[]) => webhooks.filter((webhook) => states.includes(stateOf(webhook)));
  const stopped = pick('stopped', 'unreadable');
  const failing = pick('failing');
  const addressOf = (some: readonly Webhook[]) => {
    const page = `${overviewAddress(guild.guildId)}/webhooks`;
    return some.length === 1 && some[0] ? `${page}/${encodeURIComponent(some[0].id)}` : page;
  };
  const entry = (some: readonly Webhook[], text: Omit<Attention, 'action' | 'to' | 'detail'>) => ({
    ...text,
    detail: namesText(some.map(titleOf)),
    action: some.length === 1 ? 'Open the webhook' : 'Show the webhooks',
    to: addressOf(some),
  });
  return [
    ...(stopped.length === 0
      ? []
      : [
          entry(stopped, {
            id: 'webhooks-stopped',
            tone: 'danger',
            title: countText(stopped.length, 'webhook gets', 'webhooks get', 'nothing any more'),
          }),
        ]),
    ...(failing.length === 0
      ? []
      : [
          entry(failing, {
            id: 'webhooks-failing',
            tone: 'warning',
            title: countText(failing.length, 'webhook is', 'webhooks are', 'failing'),
          }),
        ]),
  ];
}

/** Keys that expire within two weeks, and those that expired lately. */
export function keyAttention(guild: Guild, keys: readonly ApiKey[], nowMs: number): Attention[] {
  const ends = keys
    .map((key) => ({ ...key, endsMs: Date.parse(key.expiresAt) }))
    .filter(
      ({ state, endsMs }) => state === 'expiring' || (state === 'expired' && nowMs - endsMs < expiredShownMs),
    )
    .sort((one, other) => one.endsMs - other.endsMs);
  const entry = (state: ApiKey['state'], title: (count: number) => string): Attention[] => {
    const some = ends.filter((key) => key.state === state);
    if (some.length === 0) return [];
    return [
      {
        id: `keys-${state}`,
        tone: state === 'expired' ? 'danger' : 'warning',
        title: title(some.length),
        detail: namesText(some.map(({ name, endsMs }) => `${name} (${momentInWords(endsMs, nowMs)})`)),
        action: 'Rotate or replace',
        to: `${overviewAddress(guild.guildId)}/keys`,
      },
    ];
  };
  return [
    ...entry('expired', (count) => countText(count, 'key has', 'keys have', 'expired')),
    ...entry('expiring', (count) => countText(count, 'key expires', 'keys expire', 'soon')),
  ];
}

/** Keys whose requests are refused much more often than before, with the most frequent reason. */
export function refusalAttention(
  guild: Guild,
  jumps: readonly RefusalJump[],
  keys: readonly ApiKey[],
): Attention[] {
  return jumps.map(({ keyId, refused, usual, code }) => {
    const name = keys.find(({ id }) => id === keyId)?.name ?? 'a key';
    const before =
      usual === 0
        ? 'none in the week before'
        : `usually ${usual < 1 ? 'less than 1' : Math.round(usual).toLocaleString('en')} a day`;
    return {
      id: `refusals ${keyId}`,
      tone: 'warning',
      title: `Requests of ${name} are refused`,
      detail: `${refused.toLocaleString('en')} in 24 hours, ${before}. Most: ${reasonText(code)}.`,
      action: 'Show why',
      to: `${overviewAddress(guild.guildId)}/requests?key=${encodeURIComponent(keyId)}`,
    };
  });
}

/** Unusual findings of the range, with their reasons. */
export function unusualAttention(guild: Guild, overview: Overview): Attention[] {
  return overview.unusual.map((one) => ({
    id: `unusual ${one.kind} ${one.day ?? ''} ${one.source ?? ''}`,
    tone: 'warning',
    ...unusualTexts(one),
    action: 'Show the transactions',
    to: unusualAddress(guild.guildId, one, overview),
  }));
}

function unusualTexts({ kind, day, source, amount, usual }: Unusual): { title: string; detail: string } {
  if (kind === 'new-source') {
    return {
      title: `New source: ${source}`,
      detail: `It moved ${roundedText(amount)} and was not seen in the 90 days before.`,
    };
  }
  const usually = roundedText(usual ?? '0');
  return {
    title: `Much money ${kind === 'money-in' ? 'in' : 'out'} on ${formatDay(day ?? '')}`,
    detail: `${roundedText(amount)}, ${timesText(amount, usual ?? '0')} the usual ${usually} a day, the median of the 28 days before.`,
  };
}

function unusualAddress(guildId: string, { kind, day, source }: Unusual, overview: Overview): string {
  if (day === null) return rowsAddress(guildId, daysOf(overview), source === null ? {} : { source });
  const days = daysOf(overview, { since: day, until: day });
  return rowsAddress(guildId, days, { direction: kind === 'money-in' ? 'in' : 'out' });
}

function roundedText(amount: string): string {
  return formatMoney(roundMoney(amount));
}

/** "4.5 times", from exact sums. */
function timesText(amount: string, usual: string): string {
  const [units, usualUnits] = [parseMoney(amount) ?? 0n, parseMoney(usual) ?? 0n];
  if (usualUnits === 0n) return 'many times';
  const tenths = (units * 10n) / usualUnits;
  if (tenths >= timesMax * 10n) return `over ${timesMax} times`;
  return `${tenths / 10n}.${tenths % 10n} times`;
}

function countText(count: number, one: string, many: string, rest: string): string {
  return `${count === 1 ? `A ${one}` : `${count} ${many}`} ${rest}`;
}

function namesText(names: readonly string[]): string {
  const more = names.length - namesMax;
  return `${names.slice(0, namesMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
