import { eventBody, type WebhookEvent } from '../domain/webhooks/event.ts';
import type { EventBatch, EventSource } from '../domain/webhooks/event-source.ts';
import { selects, streamsOf } from '../domain/webhooks/event-types.ts';
import { type Positions, RETRIES_WAITING_MAX, type Webhook } from '../domain/webhooks/webhook.ts';
import { createWork, type Work, type WorkParts } from './work.ts';

/** The number of events read at once. They stay in memory while the endpoint answers. */
const BATCH_MAX = 50;
/** The same while deliveries fail: the next one may take long too. */
const FAILING_BATCH_MAX = 5;
/** The interval at which keys are checked for their expiry. */
const CHECK_KEYS_MS = 3_600_000;

export interface PumpParts extends WorkParts {
  source: EventSource;
}

/**
 * Delivers everything pending for an endpoint: first due retries, each on its own, then new events in order. Releases
 * the lease at the end.
 */
export async function pump(webhook: Webhook, parts: PumpParts): Promise<void> {
  const work = createWork(webhook, parts);
  await retryDue(webhook, work, parts);
  await announceExpiringKeys(webhook, work, parts.source, parts.clock.nowMs(), async (event) => {
    await work.writeSometimes();
    return deliver(work, event);
  });
  const logs = logsOf(webhook, parts.source);
  let isComplete = false;
  while (!isComplete && work.mayGoOn()) {
    isComplete = true;
    const { guild, webhookId } = webhook;
    if ((await parts.store.countWaiting(guild, webhookId)) >= RETRIES_WAITING_MAX) {
      isComplete = false;
      break;
    }
    for (const { stream, read } of logs) {
      const moved = await follow(webhook, work, stream, read);
      isComplete &&= moved === 0;
    }
    await work.writeSometimes();
  }
  await work.end(isComplete && work.mayGoOn());
}

async function retryDue(webhook: Webhook, work: Work, { store, clock }: PumpParts): Promise<void> {
  const { guild, webhookId } = webhook;
  for (const message of await store.due(guild, webhookId, { nowMs: clock.nowMs(), limit: batchMax(work) })) {
    if (!work.mayGoOn()) {
      return;
    }
    await work.attemptAgain(message);
    await work.writeSometimes();
  }
}

const batchMax = (work: Work) => (work.isFailing() ? FAILING_BATCH_MAX : BATCH_MAX);

type ReadLog = (webhook: Webhook, limit: number) => Promise<EventBatch>;

/** The logs that an endpoint follows. */
export function logsOf(webhook: Webhook, source: EventSource): { stream: keyof Positions; read: ReadLog }[] {
  const streams = streamsOf(webhook.events, webhook.kind);
  const all: { stream: keyof Positions; read: ReadLog }[] = [
    { stream: 'feed', read: source.fromFeed },
    { stream: 'audit', read: source.fromAudit },
    { stream: 'people', read: source.fromPeople },
  ];
  return all.filter(({ stream }) => streams[stream]);
}

/** Delivers the events after a position. Returns by how much the position moved. */
async function follow(webhook: Webhook, work: Work, stream: keyof Positions, read: ReadLog): Promise<number> {
  const { positions } = work.standing;
  const start = positions[stream];
  const batch = await read({ ...webhook, positions }, batchMax(work));
  for (const { event, position } of batch.events) {
    if (!work.mayGoOn()) {
      return positions[stream] - start;
    }
    if (!(await deliver(work, event))) {
      return positions[stream] - start;
    }
    positions[stream] = position;
    await work.writeSometimes();
  }
  positions[stream] = batch.position;
  if (stream === 'audit' && batch.position > start && selects(webhook.events, 'key.expiring')) {
    // The changes may include a key that expires soon: the next claim checks the keys.
    work.standing.checkAtMs = 0;
  }
  return batch.position - start;
}

function deliver(work: Work, event: WebhookEvent): Promise<boolean> {
  const { id: eventId, type, atMs: eventAtMs } = event;
  return work.attempt({ eventId, type, body: eventBody(event), eventAtMs });
}

/** Sends each warning about an expiring key once, and sets the time of the next check. */
export async function announceExpiringKeys(
  webhook: Webhook,
  { standing, mayGoOn }: Work,
  source: EventSource,
  nowMs: number,
  send: (event: WebhookEvent) => Promise<boolean>,
): Promise<void> {
  if (!selects(webhook.events, 'key.expiring')) {
    standing.checkAtMs = standing.summaryAtMs;
    return;
  }
  const { warnings, marks } = await source.expiringKeys(webhook, nowMs);
  for (const { event, mark } of warnings) {
    if (!mayGoOn() || !(await send(event))) {
      return;
    }
    // One by one, so that none is repeated when another process takes the lease before the last.
    standing.announcedKeys = [...standing.announcedKeys, mark];
  }
  standing.announcedKeys = marks;
  standing.checkAtMs = Math.min(nowMs + CHECK_KEYS_MS, standing.summaryAtMs ?? Number.POSITIVE_INFINITY);
}
