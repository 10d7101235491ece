import { setTimeout as pause } from 'node:timers/promises';
import { toChatMessage } from '../domain/webhooks/discord.ts';
import type { WebhookEvent } from '../domain/webhooks/event.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import { announceTimed, logsOf, logsWithMore, type PumpParts, readDue } from './pump.ts';
import { createWork, type Message, type Work } from './work.ts';

/**
 * Events are collected for this long and sent in one message. A channel gets at most twenty messages per minute in
 * total: Discord allows five in two seconds and thirty per minute.
 */
export const COLLECT_MS = 3_000;

/** The number of entries of a log read for one message. For more events the message shows only their number. */
const BATCH_MAX = 1_000;
const RETRIES_AT_ONCE = 100;

export interface ChatPumpParts extends PumpParts {
  /** Sends a due summary. */
  sendSummary: (webhook: Webhook, work: Work) => Promise<void>;
}

/** Delivers to a chat channel. A failed message is stored and retried like any other delivery. */
export async function pumpChat(webhook: Webhook, parts: ChatPumpParts): Promise<void> {
  const work = createWork(webhook, parts);
  const { clock } = parts;

  /** Called before each message of any kind, to keep within Discord's limits. */
  const collect = async () => {
    if (!work.mayGoOn()) {
      return false;
    }
    await work.writeSometimes();
    // A process that is stopping does not wait.
    await pause(COLLECT_MS, undefined, { signal: parts.stopping }).catch(() => {});
    return work.mayGoOn();
  };

  for (const message of await readDue(webhook, parts, RETRIES_AT_ONCE)) {
    if (await collect()) {
      await work.attemptAgain(message);
    }
  }
  const { summaryAtMs } = work.standing;
  if (summaryAtMs !== undefined && summaryAtMs <= clock.nowMs() && (await collect())) {
    await parts.sendSummary(webhook, work);
  }
  let isComplete = false;
  while (!isComplete && (await collect())) {
    const before = { ...work.standing, positions: { ...work.standing.positions } };
    const message = await nextMessage(webhook, work, parts);
    if (message === undefined) {
      isComplete = true;
    } else if (!(await work.attempt(message))) {
      Object.assign(work.standing, before);
    }
  }
  await work.end(isComplete && work.mayGoOn());
}

/** All present events as one message. Only the message stays in memory while it waits for a slot and an answer. */
async function nextMessage(webhook: Webhook, work: Work, parts: ChatPumpParts): Promise<Message | undefined> {
  const events = await readEvents(webhook, work, parts);
  const [first] = events;
  if (first === undefined) {
    return undefined;
  }
  const { id: eventId, type, atMs: eventAtMs } = first;
  const { source } = parts;
  const named = { names: await source.playerNames(events), texts: await source.texts(webhook.guild) };
  return { eventId, type, body: JSON.stringify(toChatMessage(events, named)), eventAtMs };
}

/** The present events of all logs. The positions are written together with the result of the message. */
async function readEvents(webhook: Webhook, work: Work, parts: ChatPumpParts): Promise<WebhookEvent[]> {
  const events: WebhookEvent[] = [];
  const { standing } = work;
  const current = { ...webhook, announcedKeys: standing.announcedKeys };
  await announceTimed(current, work, parts.source, parts.clock.nowMs(), async (event) => {
    events.push(event);
    return true;
  });
  for (const { stream, read } of await logsWithMore(logsOf(webhook, parts.source), webhook, work, parts)) {
    const batch = await read({ ...webhook, positions: standing.positions }, BATCH_MAX);
    events.push(...batch.events.map(({ event }) => event));
    standing.positions[stream] = batch.position;
  }
  return events;
}
