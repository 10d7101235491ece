import type { BaseLogger } from 'pino';
import { WEBHOOK_KINDS } from '../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../domain/webhooks/webhook-store.ts';
import type { ChatPumpParts } from './chat-pump.ts';
import { createLane } from './lane.ts';

/** How often the store is asked for endpoints with something to deliver. */
const LOOK_MS = 250;
/** The same when an endpoint made room that others may wait for. */
const LOOK_FOR_ROOM_MS = 50;
/** After a failure of the store. */
const LOOK_AFTER_FAILURE_MS = 2_000;

export interface DeliveryParts
  extends Omit<ChatPumpParts, 'holder' | 'leaseUntilMs' | 'stopping' | 'inSlot' | 'isContended'> {
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
 * Looks for endpoints with something to deliver and works on each in turns. Any number of processes may do this at once: an
 * endpoint is worked on by the holder of its lease. Standard endpoints and chat channels do not share bounds.
 */
export function startDeliveries(parts: DeliveryParts): Deliveries {
  const { ids, logger } = parts;
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let nextLookMs = 0;
  let look: Promise<void> = Promise.resolve();
  let isLooking = false;
  const laneParts = {
    ...parts,
    holder: ids.uuid(),
    stopping: stopping.signal,
    onBroken: ({ webhookId }: { webhookId: string }, error: unknown) =>
      logger.warn({ webhook: webhookId, err: error }, 'a delivery was broken off'),
    onRoom: lookSoon,
  };
  const lanes = WEBHOOK_KINDS.map((kind) => createLane(kind, laneParts));

  function lookLater(afterMs: number): void {
    if (stopping.signal.aborted) {
      return;
    }
    clearTimeout(timer);
    nextLookMs = performance.now() + afterMs;
    timer = setTimeout(() => {
      isLooking = true;
      look = Promise.all(lanes.map((lane) => lane.look())).then(
        () => endLook(LOOK_MS),
        (error) => {
          logger.warn({ err: error }, 'webhooks cannot be looked up');
          endLook(LOOK_AFTER_FAILURE_MS);
        },
      );
    }, afterMs).unref();
  }

  function endLook(nextAfterMs: number): void {
    isLooking = false;
    lookLater(nextAfterMs);
  }

  function lookSoon(): void {
    if (!isLooking && nextLookMs - performance.now() > LOOK_FOR_ROOM_MS) {
      lookLater(LOOK_FOR_ROOM_MS);
    }
  }

  lookLater(LOOK_MS);
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      const deadline = setTimeout(parts.breakOff, STOP_MS);
      await look;
      await Promise.all(lanes.map((lane) => lane.settled()));
      clearTimeout(deadline);
    },
  };
}
