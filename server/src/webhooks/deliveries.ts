import type { BaseLogger } from 'pino';
import { WEBHOOK_KINDS } from '../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../domain/webhooks/webhook-store.ts';
import type { ChatPumpParts } from './chat-pump.ts';
import { createLane } from './lane.ts';

/** The interval at which the store is asked for endpoints with something to deliver. */
const LOOK_MS = 250;
/** The same after an endpoint has released a slot that others may wait for. */
const LOOK_FOR_ROOM_MS = 50;
/** The pause after a failure of the store. */
const LOOK_AFTER_FAILURE_MS = 2_000;

export interface DeliveryParts
  extends Omit<ChatPumpParts, 'holder' | 'leaseUntilMs' | 'stopping' | 'inSlot' | 'isContended'> {
  store: WebhookStore;
  logger: BaseLogger;
  /** Aborts pending requests. */
  breakOff: () => void;
}

/** Time limit of pending deliveries when the process stops. An aborted delivery is repeated by the next process. */
const STOP_MS = 2_000;

export interface Deliveries {
  /** Finishes pending deliveries and releases all leases. */
  stop(): Promise<void>;
}

/**
 * Looks for endpoints with something to deliver and works on each in turn. Any number of processes may do this at
 * once: only the holder of its lease works on an endpoint. Standard endpoints and chat channels have separate limits.
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
