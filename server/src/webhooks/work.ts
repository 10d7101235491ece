import type { Clock, IdSource } from '../domain/ports.ts';
import { DISABLED_REASONS, refusedByPlatform } from '../domain/webhooks/disabled-reasons.ts';
import { keptPart, PAYLOAD_KEPT_MAX } from '../domain/webhooks/kept-part.ts';
import { FAILING_MAX_MS, nextAttemptAt, restAfter } from '../domain/webhooks/retries.ts';
import type { SendOutcome } from '../domain/webhooks/sending.ts';
import type {
  DeliveryOutcome,
  DeliveryProgress,
  Positions,
  Webhook,
  WebhookAttempt,
  WebhookKind,
  WebhookRetry,
} from '../domain/webhooks/webhook.ts';
import type { WebhookStore } from '../domain/webhooks/webhook-store.ts';
import { DELIVERY_TIMEOUT_MS } from './sender.ts';

/** A lease lasts longer than the longest delivery, so that its holder can always write the result. */
export const LEASE_MS = 30_000;
/** A lease with less time left is renewed before an attempt: no attempt lasts longer than its lease. */
const LEASE_LEFT_MIN_MS = DELIVERY_TIMEOUT_MS + 2_000;
/** Progress is written at least this often, and after this many deliveries. A crash repeats no more than that. */
const WRITE_AFTER_MS = 500;
const WRITE_AFTER_DELIVERIES = 100;
/** After this time and at least one attempt, an endpoint releases its slot when others wait for it. */
const TURN_MS = 1_000;

/** Sends one message to an endpoint. Never rejects. */
export type Deliver = (webhook: Webhook, message: { id: string; body: string }) => Promise<SendOutcome>;

/** The part of a message that is stored with its attempt. */
export type Attempted = Pick<WebhookRetry, 'eventId' | 'type' | 'body'>;

export type Message = Pick<WebhookRetry, 'eventId' | 'type' | 'body' | 'eventAtMs'>;

/** Called with the outcome of each attempt, for the metrics. */
export type OnAttempt = (kind: WebhookKind, outcome: DeliveryOutcome) => void;

export interface WorkParts {
  store: WebhookStore;
  deliver: Deliver;
  clock: Clock;
  ids: IdSource;
  holder: string;
  /** The end of the lease from the claim. */
  leaseUntilMs: number;
  onAttempt: OnAttempt;
  /** Runs a request when a slot is free. */
  inSlot: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** True when others wait for this endpoint's slot. */
  isContended: () => boolean;
  /** Aborted when the process stops. */
  stopping: AbortSignal;
}

/** The state of an endpoint between deliveries. */
export interface Standing {
  positions: Positions;
  announcedKeys: readonly string[];
  checkAtMs: number | undefined;
  summaryAtMs: number | undefined;
}

/** Work on one endpoint under a lease: its attempts, and their results to be written. */
export interface Work {
  /** The state of the endpoint. The pump changes it, and it is written together with the results of the deliveries. */
  readonly standing: Standing;
  /** True while the lease is held, the endpoint is active and in its turn, and the process is not stopping. */
  mayGoOn(): boolean;
  /** True when the last delivery failed. */
  isFailing(): boolean;
  /** False when no delivery waits for another attempt. */
  mayHaveRetries(): boolean;
  /**
   * Makes the first attempt and records the result. False when it was aborted or the lease was lost: then it counts
   * as not made.
   */
  attempt(message: Message): Promise<boolean>;
  /** The same for a stored delivery, which is deleted once it is delivered or given up. */
  attemptAgain(message: Omit<WebhookRetry, 'nextAtMs'>): Promise<boolean>;
  /**
   * Sends a message that is not stored for a retry, and records the outcome. True for a success, undefined when the
   * lease was lost.
   */
  sendOnce(message: Attempted, send: () => Promise<SendOutcome>): Promise<boolean | undefined>;
  /** Writes the recorded results and renews the lease, when it is time. */
  writeSometimes(): Promise<void>;
  /**
   * Writes the recorded results and releases the lease; the endpoint may be claimed again after its pause. `isComplete`
   * says that nothing was left in the logs.
   */
  end(isComplete: boolean): Promise<void>;
}

export function createWork(webhook: Webhook, parts: WorkParts): Work {
  const { store, clock } = parts;
  const standing: Standing = {
    positions: { ...webhook.positions },
    announcedKeys: webhook.announcedKeys,
    checkAtMs: webhook.checkAtMs,
    summaryAtMs: webhook.summaryAtMs,
  };
  let noted = nothingNoted(clock);
  let failingSinceMs = webhook.failingSinceMs;
  let disabledReason: string | undefined;
  let isHeld = true;
  /** The pause of the endpoint, set by an attempt. */
  let restMs: number | undefined;
  const turnStartMs = clock.monotonicMs();
  let hasAttempted = false;
  let hasRetries = webhook.retryAtMs !== undefined;
  let leaseUntilMs = parts.leaseUntilMs;

  async function write(untilMs: number, isKept: boolean, hasMore = false): Promise<void> {
    if (!isHeld) {
      return;
    }
    const progress: DeliveryProgress = {
      ...standing,
      positions: { ...standing.positions },
      guild: webhook.guild,
      webhookId: webhook.webhookId,
      holder: parts.holder,
      generation: webhook.generation,
      nowMs: clock.nowMs(),
      isHeld: isKept,
      hasMore,
      leaseUntilMs: untilMs,
      attempts: noted.attempts,
      retries: [...noted.retries.values()],
      settled: noted.settled,
      failingSinceMs,
      disabledReason,
    };
    isHeld = (await store.record(progress)) && isKept;
    leaseUntilMs = untilMs;
    noted = nothingNoted(clock);
  }

  const writeNow = () => write(clock.nowMs() + LEASE_MS, true);

  /**
   * Sends in a slot, under a lease that lasts longer than the request. Undefined when the lease was lost or the
   * process is stopping.
   */
  const send = (request: () => Promise<SendOutcome>): Promise<SendOutcome | undefined> =>
    parts.inSlot(async () => {
      if (leaseUntilMs - clock.nowMs() < LEASE_LEFT_MIN_MS) {
        await writeNow();
      }
      // After waiting for the slot, nothing is started in a process that is stopping.
      return isHeld && !parts.stopping.aborted ? request() : undefined;
    });

  function note({ eventId, type, body }: Attempted, outcome: SendOutcome): boolean {
    const { status, durationMs, error, answer } = outcome;
    const nowMs = clock.nowMs();
    hasAttempted = true;
    noted.attempts.push({
      attemptId: parts.ids.uuid(),
      eventId,
      type,
      atMs: nowMs,
      status,
      durationMs,
      error,
      payload: keptPart(body, PAYLOAD_KEPT_MAX),
      answer,
    });
    failingSinceMs = error === undefined ? undefined : (failingSinceMs ?? nowMs);
    const failingMs = nowMs - (failingSinceMs ?? nowMs);
    restMs = restAfter(webhook, outcome, failingMs);
    disabledReason = error === undefined ? undefined : reasonToDisable(webhook, outcome, failingMs);
    return error === undefined;
  }

  async function attempt(message: Omit<WebhookRetry, 'nextAtMs'>, isKept: boolean): Promise<boolean> {
    const { eventId, body } = message;
    const outcome = await send(() => parts.deliver(webhook, { id: eventId, body }));
    if (outcome === undefined || (parts.stopping.aborted && outcome.status === undefined)) {
      return false;
    }
    const isDelivered = note(message, outcome);
    const attempts = message.attempts + 1;
    const nextAtMs = isDelivered ? undefined : nextAttemptAt(attempts, clock.nowMs(), outcome.retryAfterMs);
    if (nextAtMs !== undefined) {
      noted.retries.set(eventId, { ...message, attempts, nextAtMs });
      hasRetries = true;
      parts.onAttempt(webhook.kind, 'failed');
      return true;
    }
    parts.onAttempt(webhook.kind, isDelivered ? 'delivered' : 'given_up');
    if (isKept) {
      noted.settled.push(eventId);
    }
    return true;
  }

  return {
    standing,
    mayGoOn: () =>
      isHeld &&
      disabledReason === undefined &&
      restMs === undefined &&
      !parts.stopping.aborted &&
      (!hasAttempted || clock.monotonicMs() - turnStartMs < TURN_MS || !parts.isContended()),
    isFailing: () => failingSinceMs !== undefined,
    mayHaveRetries: () => hasRetries,
    async sendOnce(message, request) {
      const outcome = await send(request);
      if (outcome === undefined) {
        return undefined;
      }
      const isDelivered = note(message, outcome);
      parts.onAttempt(webhook.kind, isDelivered ? 'delivered' : 'failed');
      return isDelivered;
    },
    attempt: (message) => attempt({ ...message, attempts: 0 }, false),
    attemptAgain: (message) => attempt(message, true),
    async writeSometimes() {
      const isDue =
        noted.attempts.length >= WRITE_AFTER_DELIVERIES ||
        clock.monotonicMs() - noted.sinceMs >= WRITE_AFTER_MS;
      if (isDue && disabledReason === undefined) {
        await writeNow();
      }
    },
    end: (isComplete) => write(clock.nowMs() + (restMs ?? 0), false, !isComplete),
  };
}

function nothingNoted(clock: Clock) {
  return {
    attempts: [] as WebhookAttempt[],
    retries: new Map<string, WebhookRetry>(),
    settled: [] as string[],
    sinceMs: clock.monotonicMs(),
  };
}

/** The reason to disable an endpoint, as a sentence; undefined to keep it. */
function reasonToDisable(webhook: Webhook, { status }: SendOutcome, failingMs: number): string | undefined {
  if (status === 410) {
    return DISABLED_REASONS.gone;
  }
  if (webhook.kind === 'discord' && (status === 401 || status === 403 || status === 404)) {
    return refusedByPlatform(status);
  }
  return failingMs >= FAILING_MAX_MS ? DISABLED_REASONS.failing : undefined;
}
