import type { BaseLogger } from 'pino';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../domain/webhooks/webhook-store.ts';
import { type ChatPumpParts, pumpChat } from './chat-pump.ts';
import { pump } from './pump.ts';
import { LEASE_MS } from './work.ts';

/** How often the store is asked for endpoints with something to deliver. */
const LOOK_MS = 250;
/** After a failure of the store. */
const LOOK_AFTER_FAILURE_MS = 2_000;
/** Endpoints that one process delivers to at once. */
const ENDPOINTS_AT_ONCE_MAX = 64;

export interface DeliveryParts extends Omit<ChatPumpParts, 'holder' | 'leaseUntilMs' | 'stopping'> {
  store: WebhookStore;
  logger: BaseLogger;
  /** Breaks off the requests under way. */
  breakOff: () => void;
}

/** How long deliveries under way may take once the process is about to stop. What is broken off is delivered by the next. */
const STOP_MS = 2_000;

export interface Deliveries {
  /** Ends what is under way and gives all leases back. */
  stop(): Promise<void>;
}

/**
 * Looks for endpoints with something to deliver and works on each until nothing is left. Any number of processes may do
 * this at once: an endpoint is worked on by whoever holds its lease.
 */
export function startDeliveries(parts: DeliveryParts): Deliveries {
  const { store, clock, ids, logger } = parts;
  const holder = ids.uuid();
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let look: Promise<void> = Promise.resolve();

  function start(webhook: Webhook, leaseUntilMs: number): void {
    const { webhookId } = webhook;
    const run = webhook.kind === 'standard' ? pump : pumpChat;
    const work = run(webhook, { ...parts, holder, leaseUntilMs, stopping: stopping.signal })
      // The lease runs out by itself, and the endpoint is taken up again from where it stood.
      .catch((error) => logger.warn({ webhook: webhookId, err: error }, 'a delivery was broken off'))
      .finally(() => running.delete(webhookId));
    running.set(webhookId, work);
  }

  async function lookOnce(): Promise<void> {
    const limit = ENDPOINTS_AT_ONCE_MAX - running.size;
    if (limit <= 0) {
      return;
    }
    const nowMs = clock.nowMs();
    const untilMs = nowMs + LEASE_MS;
    const claimed = await store.claim({ holder, nowMs, untilMs, limit });
    for (const webhook of claimed) {
      // A clock that jumped lets a lease run out while its holder is at work; it notices when it writes.
      if (!running.has(webhook.webhookId)) {
        start(webhook, untilMs);
      }
    }
  }

  function lookLater(afterMs: number): void {
    if (stopping.signal.aborted) {
      return;
    }
    timer = setTimeout(() => {
      look = lookOnce().then(
        () => lookLater(LOOK_MS),
        (error) => {
          logger.warn({ err: error }, 'webhooks cannot be looked up');
          lookLater(LOOK_AFTER_FAILURE_MS);
        },
      );
    }, afterMs).unref();
  }

  lookLater(LOOK_MS);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      const deadline = setTimeout(parts.breakOff, STOP_MS);
      await look;
      await Promise.all(running.values());
      clearTimeout(deadline);
    },
  };
}
