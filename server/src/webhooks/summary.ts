import { sumText } from '../domain/ledger/amount.ts';
import type { LedgerViewStore } from '../domain/ledger/ledger-views.ts';
import type { Clock, GuildStore, IdSource } from '../domain/ports.ts';
import { toBase64 } from '../domain/seal/bytes.ts';
import { parseCheckpoint, type TreeHead } from '../domain/seal/checkpoint.ts';
import type { SealStore } from '../domain/seal/seal-store.ts';
import { chatMessage, escapeText } from '../domain/webhooks/discord.ts';
import { eventIdOf } from '../domain/webhooks/event.ts';
import type { SendOutcome } from '../domain/webhooks/sending.ts';
import { nextSummaryAt, weekBefore } from '../domain/webhooks/summary-time.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { toForm } from '../outgoing/form.ts';
import type { Texts } from '../texts/texts.ts';
import { textsOf } from '../texts/texts-of.ts';
import { drawWeek } from './week-chart.ts';
import type { Work } from './work.ts';

const DAY_MS = 86_400_000;
const COLOR = 0x4263eb;
const PICTURE = 'week.png';
/** The pause before a failed summary is sent again; after Tuesday it is outdated. */
const AGAIN_MS = 1_800_000;

export interface SummaryParts {
  guilds: Pick<GuildStore, 'find'>;
  views: Pick<LedgerViewStore, 'days' | 'topSources'>;
  seals: Pick<SealStore, 'state'>;
  clock: Clock;
  ids: IdSource;
  deliverRaw: (webhook: Webhook, message: { body: Uint8Array; contentType: string }) => Promise<SendOutcome>;
}

/** Sends the summary of the previous week, with a chart of its days. */
export function createSendSummary(parts: SummaryParts) {
  const { views, clock, ids } = parts;
  return async (webhook: Webhook, work: Work): Promise<void> => {
    const { standing } = work;
    // The week before now, not the week that was due: after a long stop that one is outdated.
    const { sinceMs, untilMs } = weekBefore(clock.nowMs());
    const range = { since: sinceMs / DAY_MS, until: untilMs / DAY_MS - 1 };
    const days = await views.days(webhook.guild, range);
    const sources = await views.topSources(webhook.guild, range, 1);
    const { log } = await parts.seals.state(webhook.guild);
    const head = log === undefined ? undefined : parseCheckpoint(log.checkpoint);
    const texts = textsOf({ language: (await parts.guilds.find(webhook.guild.guildId))?.language });
    const week = { days, topSource: sources[0]?.source, head };
    const body = JSON.stringify(describeWeek({ sinceMs, untilMs }, week, texts));
    const message = toForm({
      payload: body,
      picture: drawWeek(toBars(days, range.since, texts)),
      fileName: PICTURE,
      boundary: `guildbook-${ids.uuid()}`,
    });
    const eventId = eventIdOf(webhook.guild, { log: 'w', ref: range.since });
    const isDone = await work.sendOnce({ eventId, type: 'summary.weekly', body }, () =>
      parts.deliverRaw(webhook, message),
    );
    if (isDone === undefined) {
      return;
    }
    const isOld = clock.nowMs() - untilMs > 2 * DAY_MS;
    standing.summaryAtMs = isDone || isOld ? nextSummaryAt(clock.nowMs()) : clock.nowMs() + AGAIN_MS;
    standing.checkAtMs = standing.summaryAtMs;
  };
}

type Day = Awaited<ReturnType<LedgerViewStore['days']>>[number];

function toBars(days: readonly Day[], firstDay: number, { weekly }: Texts) {
  const known = new Map(days.map((day) => [day.day, day]));
  return weekly.weekdays.map((label, index) => {
    const day = known.get(firstDay + index);
    return {
      label,
      deposits: Number(day?.depositUnits ?? 0n),
      withdrawals: Number(day?.withdrawalUnits ?? 0n),
    };
  });
}

function describeWeek(
  { sinceMs, untilMs }: { sinceMs: number; untilMs: number },
  {
    days,
    topSource,
    head,
  }: { days: readonly Day[]; topSource: string | undefined; head: TreeHead | undefined },
  { weekly, formats }: Texts,
): object {
  const sum = (of: (day: Day) => bigint) => days.reduce((total, day) => total + of(day), 0n);
  const deposits = sum(({ depositUnits }) => depositUnits);
  const withdrawals = sum(({ withdrawalUnits }) => withdrawalUnits);
  const count = days.reduce((total, day) => total + day.depositCount + day.withdrawalCount, 0);
  const sumOf = (units: bigint) => formats.amount(sumText(units));
  const fields = [
    { name: weekly.in, value: sumOf(deposits), inline: true },
    { name: weekly.out, value: sumOf(withdrawals), inline: true },
    { name: weekly.transactions, value: formats.count(count), inline: true },
    ...(topSource === undefined
      ? []
      : [{ name: weekly.largestSource, value: escapeText(topSource), inline: true }]),
    // The last line: readers of the channel can compare the root with the ledger later.
    ...(head === undefined ? [] : [{ name: weekly.rootOf(head.size), value: rootText(head), inline: false }]),
  ];
  const title = weekly.title(formats.day(sinceMs));
  const description = weekly.range(formats.day(sinceMs), formats.day(untilMs - DAY_MS));
  return chatMessage([
    { title, description, color: COLOR, fields, image: { url: `attachment://${PICTURE}` } },
  ]);
}

function rootText({ root }: TreeHead): string {
  return `\`${toBase64(root)}\``;
}
