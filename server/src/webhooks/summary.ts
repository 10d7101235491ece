import { sumText } from '../domain/ledger/amount.ts';
import type { LedgerViewStore } from '../domain/ledger/ledger-views.ts';
import type { Clock, IdSource } from '../domain/ports.ts';
import { toBase64 } from '../domain/seal/bytes.ts';
import { parseCheckpoint, type TreeHead } from '../domain/seal/checkpoint.ts';
import type { SealStore } from '../domain/seal/seal-store.ts';
import { chatMessage, escapeText } from '../domain/webhooks/discord.ts';
import { eventIdOf } from '../domain/webhooks/event.ts';
import type { SendOutcome } from '../domain/webhooks/sending.ts';
import { nextSummaryAt, weekBefore } from '../domain/webhooks/summary-time.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { toForm } from '../outgoing/form.ts';
import { drawWeek } from './week-chart.ts';
import type { Work } from './work.ts';

const DAY_MS = 86_400_000;
const COLOR = 0x4263eb;
const LABELS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const PICTURE = 'week.png';
/** The pause before a failed summary is sent again; after Tuesday it is outdated. */
const AGAIN_MS = 1_800_000;

export interface SummaryParts {
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
    const body = JSON.stringify(
      describeWeek({ sinceMs, untilMs }, { days, topSource: sources[0]?.source, head }),
    );
    const message = toForm({
      payload: body,
      picture: drawWeek(toBars(days, range.since)),
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

function toBars(days: readonly Day[], firstDay: number) {
  const known = new Map(days.map((day) => [day.day, day]));
  return LABELS.map((label, index) => {
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
): object {
  const sum = (of: (day: Day) => bigint) => days.reduce((total, day) => total + of(day), 0n);
  const deposits = sum(({ depositUnits }) => depositUnits);
  const withdrawals = sum(({ withdrawalUnits }) => withdrawalUnits);
  const count = days.reduce((total, day) => total + day.depositCount + day.withdrawalCount, 0);
  const dayText = (atMs: number) => new Date(atMs).toISOString().slice(0, 10);
  const fields = [
    { name: 'In', value: sumText(deposits), inline: true },
    { name: 'Out', value: sumText(withdrawals), inline: true },
    { name: 'Transactions', value: String(count), inline: true },
    ...(topSource === undefined
      ? []
      : [{ name: 'Largest source', value: escapeText(topSource), inline: true }]),
    // The last line: whoever reads the channel can compare the root with the ledger later.
    ...(head === undefined
      ? []
      : [{ name: `Root of ${head.size} sealed transactions`, value: rootText(head), inline: false }]),
  ];
  const title = `The week of ${dayText(sinceMs)}`;
  const description = `${dayText(sinceMs)} to ${dayText(untilMs - DAY_MS)}, in UTC`;
  return chatMessage([
    { title, description, color: COLOR, fields, image: { url: `attachment://${PICTURE}` } },
  ]);
}

function rootText({ root }: TreeHead): string {
  return `\`${toBase64(root)}\``;
}
