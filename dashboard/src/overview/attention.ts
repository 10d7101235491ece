import { plural, t } from '@lingui/core/macro';
import type { Guild } from '../api/guilds.ts';
import type { ApiKey } from '../api/keys.ts';
import type { Overview, Unusual } from '../api/overview.ts';
import type { RefusalJump } from '../api/requests.ts';
import type { Webhook } from '../api/webhooks.ts';
import { overviewAddress } from '../components/addresses.ts';
import { formatDay } from '../components/days.ts';
import { listText } from '../components/language-formats.ts';
import { lazily } from '../components/lazily.ts';
import { formatRounded, groupCount, isolated, parseMoney } from '../components/money.ts';
import { momentInWords } from '../components/time.ts';
import { reasonText } from '../keys/key-usage.ts';
import { language } from '../texts/languages.ts';
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
const tenths = lazily(
  () =>
    new Intl.NumberFormat(language, {
      minimumFractionDigits: 1,
      maximumFractionDigits: 1,
      useGrouping: false,
    }),
);

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
    detail: namesText(some.map((webhook) => isolated(titleOf(webhook)))),
    action: some.length === 1 ? t`Open the webhook` : t`Show the webhooks`,
    to: addressOf(some),
  });
  return [
    ...(stopped.length === 0
      ? []
      : [
          entry(stopped, {
            id: 'webhooks-stopped',
            tone: 'danger',
            title: plural(stopped.length, {
              one: 'A webhook gets nothing any more',
              other: '# webhooks get nothing any more',
            }),
          }),
        ]),
    ...(failing.length === 0
      ? []
      : [
          entry(failing, {
            id: 'webhooks-failing',
            tone: 'warning',
            title: plural(failing.length, { one: 'A webhook is failing', other: '# webhooks are failing' }),
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
        detail: namesText(
          some.map(({ name, endsMs }) => `${isolated(name)} (${momentInWords(endsMs, nowMs)})`),
        ),
        action: t`Show the keys`,
        to: `${overviewAddress(guild.guildId)}/keys`,
      },
    ];
  };
  return [
    ...entry('expired', (count) => plural(count, { one: 'A key has expired', other: '# keys have expired' })),
    ...entry('expiring', (count) =>
      plural(count, { one: 'A key expires soon', other: '# keys expire soon' }),
    ),
  ];
}

/** Keys whose requests are refused much more often than before, with the most frequent reason. */
export function refusalAttention(
  guild: Guild,
  jumps: readonly RefusalJump[],
  keys: readonly ApiKey[],
): Attention[] {
  return jumps.map(({ keyId, refused, usual, code }) => {
    const key = keys.find(({ id }) => id === keyId);
    const name = isolated(key?.name ?? '');
    return {
      id: `refusals ${keyId}`,
      tone: 'warning',
      title: key === undefined ? t`Requests of a key are refused` : t`Requests of ${name} are refused`,
      detail: refusalDetail(groupCount(refused), usual, reasonText(code)),
      action: t`Show why`,
      to: `${overviewAddress(guild.guildId)}/requests?key=${encodeURIComponent(keyId)}`,
    };
  });
}

function refusalDetail(refused: string, usual: number, reason: string): string {
  if (usual === 0) return t`${refused} in 24 hours, none in the week before. Most: ${reason}.`;
  if (usual < 1) return t`${refused} in 24 hours, usually less than 1 a day. Most: ${reason}.`;
  const before = groupCount(Math.round(usual));
  return t`${refused} in 24 hours, usually ${before} a day. Most: ${reason}.`;
}

/** Unusual findings of the range, with their reasons. */
export function unusualAttention(guild: Guild, overview: Overview): Attention[] {
  return overview.unusual.map((one) => ({
    id: `unusual ${one.kind} ${one.day ?? ''} ${one.source ?? ''}`,
    tone: 'warning',
    ...unusualTexts(one),
    action: t`Show the transactions`,
    to: unusualAddress(guild.guildId, one, overview),
  }));
}

function unusualTexts({ kind, day, source, amount, usual }: Unusual): { title: string; detail: string } {
  const sum = roundedText(amount);
  if (kind === 'new-source') {
    return {
      title: t`New source: ${isolated(source ?? '')}`,
      detail: t`It moved ${sum} and was not seen in the 90 days before.`,
    };
  }
  const usually = roundedText(usual ?? '0');
  const shownDay = formatDay(day ?? '');
  return {
    title:
      kind === 'money-in'
        ? t`Unusually high deposits on ${shownDay}`
        : t`Unusually high withdrawals on ${shownDay}`,
    detail: timesText({ sum, times: timesOf(amount, usual ?? '0'), usually }),
  };
}

function unusualAddress(guildId: string, { kind, day, source }: Unusual, overview: Overview): string {
  if (day === null) return rowsAddress(guildId, daysOf(overview), source === null ? {} : { source });
  const days = daysOf(overview, { since: day, until: day });
  return rowsAddress(guildId, days, { direction: kind === 'money-in' ? 'in' : 'out' });
}

function roundedText(amount: string): string {
  return formatRounded(amount);
}

/** How many times the usual sum this is, in tenths, from exact sums; undefined when nothing is usual. */
function timesOf(amount: string, usual: string): bigint | undefined {
  const [units, usualUnits] = [parseMoney(amount) ?? 0n, parseMoney(usual) ?? 0n];
  return usualUnits === 0n ? undefined : (units * 10n) / usualUnits;
}

interface Times {
  sum: string;
  times: bigint | undefined;
  usually: string;
}

function timesText({ sum, times, usually }: Times): string {
  if (times === undefined) {
    return t`${sum}, many times the usual ${usually} a day, the median of the 28 days before.`;
  }
  if (times >= timesMax * 10n) {
    return t`${sum}, over ${String(timesMax)} times the usual ${usually} a day, the median of the 28 days before.`;
  }
  const shown = tenths().format(Number(times) / 10);
  return t`${sum}, ${shown} times the usual ${usually} a day, the median of the 28 days before.`;
}

function namesText(names: readonly string[]): string {
  return listText(names.slice(0, namesMax), Math.max(0, names.length - namesMax));
}
