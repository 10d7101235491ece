import type { Clock, IdSource } from '../domain/ports.ts';
import { FAILING_MAX_MS, nextAttemptAt } from '../domain/webhooks/retries.ts';
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

/** A lease outlasts the longest delivery, so that its holder always gets to write what came of it. */
export const LEASE_MS = 30_000;
/** A lease that has less time left is renewed before an attempt: no attempt outlasts its lease. */
const LEASE_LEFT_MIN_MS = DELIVERY_TIMEOUT_MS + 2_000;
/** What was delivered is written down at least this often, and after this many deliveries. A crash repeats no more than that. */
const WRITE_AFTER_MS = 500;
const WRITE_AFTER_DELIVERIES = 100;

/** Sends one message to an endpoint, whatever becomes of it. */
export type Deliver = (webhook: Webhook, message: { id: string; body: string }) => Promise<SendOutcome>;

export type Message = Pick<WebhookRetry, 'eventId' | 'type' | 'body' | 'eventAtMs'>;

/** Called with what came of each attempt, to count it. */
export type OnAttempt = (kind: WebhookKind, outcome: DeliveryOutcome) => void;

export interface WorkParts {
  store: WebhookStore;
  deliver: Deliver;
  clock: Clock;
  ids: IdSource;
  holder: string;
  /** Until when the endpoint was claimed. */
  leaseUntilMs: number;
  onAttempt: OnAttempt;
  /** Aborted when the process is about to stop. */
  stopping: AbortSignal;
}

/** What is kept of an endpoint between deliveries. */
export interface Standing {
  positions: Positions;
  announcedKeys: readonly string[];
  checkAtMs: number | undefined;
  summaryAtMs: number | undefined;
}

/** Work on one endpoint under a lease: attempts, and what is to be written of them. */
export interface Work {
  /** Where the endpoint stands; whoever delivers moves it, and it is written together with what was delivered. */
  readonly standing: Standing;
  /** Whether the lease is held, the endpoint active and the process not about to stop. */
  mayGoOn(): boolean;
  /** Makes the first attempt and notes what came of it. False when it was broken off or the lease was lost: then it counts as not made. */
  attempt(message: Message): Promise<boolean>;
  /** The same for a delivery that is kept: it is kept no longer once it is delivered or given up. */
  attemptAgain(message: Omit<WebhookRetry, 'nextAtMs'>): Promise<boolean>;
  /** Notes what came of a request that is not kept for another attempt. True for a success. */
  note(message: { eventId: string; type: string }, outcome: SendOutcome): boolean;
  /** Writes what was noted and renews the lease, when it is time. */
  writeSometimes(): Promise<void>;
  /** Renews the lease when an attempt could outlast it. False when the lease was lost. Every attempt does this by itself. */
  ensureLease(): Promise<boolean>;
  /** Writes what was noted and gives the lease back. */
  end(): Promise<void>;
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
  let leaseUntilMs = parts.leaseUntilMs;

  async function write(untilMs: number): Promise<void> {
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
      leaseUntilMs: untilMs,
      attempts: noted.attempts,
      retries: [...noted.retries.values()],
      settled: noted.settled,
      failingSinceMs,
      disabledReason,
    };
    isHeld = (await store.record(progress)) && untilMs > 0;
    leaseUntilMs = untilMs;
    noted = nothingNoted(clock);
  }

  const writeNow = () => write(clock.nowMs() + LEASE_MS);

  /** Makes sure that the lease outlasts an attempt. False when the lease was lost. */
  async function ensureLease(): Promise<boolean> {
    if (leaseUntilMs - clock.nowMs() < LEASE_LEFT_MIN_MS) {
      await writeNow();
    }
    return isHeld;
  }

  function note(message: { eventId: string; type: string }, outcome: SendOutcome): boolean {
    const { eventId, type } = message;
    const { status, durationMs, error } = outcome;
    const nowMs = clock.nowMs();
    noted.attempts.push({
      attemptId: parts.ids.uuid(),
      eventId,
      type,
      atMs: nowMs,
      status,
      durationMs,
      error,
    });
    if (error === undefined) {
      failingSinceMs = undefined;
      return true;
    }
    failingSinceMs ??= nowMs;
    disabledReason = reasonToDisable(webhook, outcome, nowMs - failingSinceMs);
    return false;
  }

  async function attempt(message: Omit<WebhookRetry, 'nextAtMs'>, isKept: boolean): Promise<boolean> {
    const { eventId, body } = message;
    if (!(await ensureLease())) {
      return false;
    }
    const outcome = await parts.deliver(webhook, { id: eventId, body });
    if (parts.stopping.aborted && outcome.status === undefined) {
      return false;
    }
    const isDelivered = note(message, outcome);
    const attempts = message.attempts + 1;
    const nextAtMs = isDelivered ? undefined : nextAttemptAt(attempts, clock.nowMs(), outcome.retryAfterMs);
    if (nextAtMs !== undefined) {
      noted.retries.set(eventId, { ...message, attempts, nextAtMs });
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
    mayGoOn: () => isHeld && disabledReason === undefined && !parts.stopping.aborted,
    note(message, outcome) {
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
    ensureLease,
    end: () => write(0),
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

/** Says in words why an endpoint gets nothing more, when that is so. */
function reasonToDisable(webhook: Webhook, { status }: SendOutcome, failingMs: number): string | undefined {
  if (status === 410) {
    return 'The endpoint answered 410 Gone.';
  }
  if (webhook.kind === 'discord' && (status === 401 || status === 403 || status === 404)) {
    return `The chat platform answered ${status}: the channel's webhook is gone or may not be used.`;
  }
  return failingMs >= FAILING_MAX_MS ? 'Every delivery failed for five days.' : undefined;
}
