import { eventBody, type WebhookEvent } from '../domain/webhooks/event.ts';
import type { EventBatch, EventSource } from '../domain/webhooks/event-source.ts';
import { selects, streamsOf } from '../domain/webhooks/event-types.ts';
import { type Positions, RETRIES_WAITING_MAX, type Webhook } from '../domain/webhooks/webhook.ts';
import { createWork, type Work, type WorkParts } from './work.ts';

/** Events that are read at once. They stay in memory while the endpoint answers. */
const BATCH_MAX = 50;
/** The same while deliveries fail: the next one may take long as well. */
const FAILING_BATCH_MAX = 5;
/** How often keys are looked at for their expiry. */
const CHECK_KEYS_MS = 3_600_000;

export interface PumpParts extends WorkParts {
  source: EventSource;
}

/**
 * Delivers everything that is there for an endpoint: what is due again, each alone, then what is new, in order. Gives the
 * lease back at the end.
 */
export async function pump(webhook: Webhook, parts: PumpParts): Promise<void> {
  const work = createWork(webhook, parts);
  await retryDue(webhook, work, parts);
  await tellExpiringKeys(webhook, work, parts.source, parts.clock.nowMs(), async (event) => {
    await work.writeSometimes();
    return deliver(work, event);
  });
  const logs = logsOf(webhook, parts.source);
  let isComplete = false;
  while (!isComplete && work.mayGoOn()) {
    isComplete = true;
    const { guild, webhookId } = webhook;
    if ((await parts.store.countWaiting(guild, webhookId)) >= RETRIES_WAITING_MAX) {
      break;
    }
    for (const { stream, read } of logs) {
      const moved = await follow(webhook, work, stream, read);
      isComplete &&= moved === 0;
    }
    await work.writeSometimes();
  }
  await work.end();
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

/** Delivers what follows a position. Returns by how much it moved. */
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
    // Among the changes may be a key that expires soon: it is looked for at the next claim.
    work.standing.checkAtMs = 0;
  }
  return batch.position - start;
}

function deliver(work: Work, event: WebhookEvent): Promise<boolean> {
  const { id: eventId, type, atMs: eventAtMs } = event;
  return work.attempt({ eventId, type, body: eventBody(event), eventAtMs });
}

/** Keys that expire soon are told of once. Sets the time of the next look. */
export async function tellExpiringKeys(
  webhook: Webhook,
  { standing, mayGoOn }: Work,
  source: EventSource,
  nowMs: number,
  tell: (event: WebhookEvent) => Promise<boolean>,
): Promise<void> {
  if (!selects(webhook.events, 'key.expiring')) {
    standing.checkAtMs = standing.summaryAtMs;
    return;
  }
  const { warnings, marks } = await source.expiringKeys(webhook, nowMs);
  for (const { event, mark } of warnings) {
    if (!mayGoOn() || !(await tell(event))) {
      return;
    }
    // One by one, so that none is repeated when the lease changes hands before the last.
    standing.announcedKeys = [...standing.announcedKeys, mark];
  }
  standing.announcedKeys = marks;
  standing.checkAtMs = Math.min(nowMs + CHECK_KEYS_MS, standing.summaryAtMs ?? Number.POSITIVE_INFINITY);
}
