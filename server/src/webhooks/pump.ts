import { eventBody, type WebhookEvent } from '../domain/webhooks/event.ts';
import type { EventBatch, EventSource } from '../domain/webhooks/event-source.ts';
import { selects, streamsOf } from '../domain/webhooks/event-types.ts';
import { nextSealedAt } from '../domain/webhooks/sealed-day.ts';
import {
  type Positions,
  RETRIES_WAITING_MAX,
  type Webhook,
  type WebhookRetry,
} from '../domain/webhooks/webhook.ts';
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
  await announceTimed(webhook, work, parts.source, parts.clock.nowMs(), async (event) => {
    await work.writeSometimes();
    return deliver(work, event);
  });
  const logs = logsOf(webhook, parts.source);
  let isComplete = false;
  while (!isComplete && work.mayGoOn()) {
    isComplete = true;
    if (await hasTooManyRetries(webhook, work, parts)) {
      isComplete = false;
      break;
    }
    for (const { stream, read } of await logsWithMore(logs, webhook, work, parts)) {
      const moved = await follow(webhook, work, stream, read);
      isComplete &&= moved === 0;
    }
    await work.writeSometimes();
  }
  await work.end(isComplete && work.mayGoOn());
}

async function retryDue(webhook: Webhook, work: Work, parts: PumpParts): Promise<void> {
  for (const message of await readDue(webhook, parts, batchMax(work))) {
    if (!work.mayGoOn()) {
      return;
    }
    await work.attemptAgain(message);
    await work.writeSometimes();
  }
}

/** Due retries. Most endpoints have none, which their claim says: then nothing is read. */
export async function readDue(
  { guild, webhookId, retryAtMs }: Webhook,
  { store, clock }: PumpParts,
  limit: number,
): Promise<WebhookRetry[]> {
  const nowMs = clock.nowMs();
  return retryAtMs === undefined || retryAtMs > nowMs ? [] : store.due(guild, webhookId, { nowMs, limit });
}

async function hasTooManyRetries(
  { guild, webhookId }: Webhook,
  work: Work,
  { store }: PumpParts,
): Promise<boolean> {
  return work.mayHaveRetries() && (await store.countWaiting(guild, webhookId)) >= RETRIES_WAITING_MAX;
}

const batchMax = (work: Work) => (work.isFailing() ? FAILING_BATCH_MAX : BATCH_MAX);

type ReadLog = (webhook: Webhook, limit: number) => Promise<EventBatch>;

interface Log {
  stream: keyof Positions;
  read: ReadLog;
}

/** The logs that an endpoint follows. */
export function logsOf(webhook: Webhook, source: EventSource): Log[] {
  const streams = streamsOf(webhook.events, webhook.kind);
  const all: Log[] = [
    { stream: 'feed', read: source.fromFeed },
    { stream: 'audit', read: source.fromAudit },
    { stream: 'people', read: source.fromPeople },
  ];
  return all.filter(({ stream }) => streams[stream]);
}

/** The logs that have entries after the endpoint's position. Endpoints share the statements that read their ends. */
export async function logsWithMore(
  logs: readonly Log[],
  { guild }: Webhook,
  { standing }: Work,
  { store }: PumpParts,
): Promise<Log[]> {
  const ends = await store.ends(guild);
  return logs.filter(({ stream }) => standing.positions[stream] < ends[stream]);
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

/** Sends each event that happens at a time once, and sets the time of the next check. */
export async function announceTimed(
  webhook: Webhook,
  { standing, mayGoOn }: Work,
  source: EventSource,
  nowMs: number,
  send: (event: WebhookEvent) => Promise<boolean>,
): Promise<void> {
  const [hasKeys, hasSeals] = [
    selects(webhook.events, 'key.expiring'),
    selects(webhook.events, 'ledger.sealed'),
  ];
  if (!hasKeys && !hasSeals) {
    standing.checkAtMs = standing.summaryAtMs;
    return;
  }
  const timed = [
    ...(hasKeys ? [await source.expiringKeys(webhook, nowMs)] : []),
    ...(hasSeals ? [await source.sealedDay(webhook, nowMs)] : []),
  ];
  for (const { event, mark } of timed.flatMap(({ due }) => due)) {
    if (!mayGoOn() || !(await send(event))) {
      return;
    }
    // One by one, so that none is repeated when another process takes the lease before the last.
    standing.announcedKeys = [...standing.announcedKeys, mark];
  }
  standing.announcedKeys = timed.flatMap(({ marks }) => marks);
  standing.checkAtMs = Math.min(
    hasKeys ? nowMs + CHECK_KEYS_MS : Number.POSITIVE_INFINITY,
    hasSeals ? nextSealedAt(nowMs) : Number.POSITIVE_INFINITY,
    standing.summaryAtMs ?? Number.POSITIVE_INFINITY,
  );
}
