import type { BaseLogger } from 'pino';
import type { Config } from '../config.ts';
import type { Sealer } from '../domain/access/sealing.ts';
import type { Clock, IdSource, RateLimiter, Store } from '../domain/ports.ts';
import { createEventSource } from '../domain/webhooks/event-source.ts';
import { keptPart, PAYLOAD_KEPT_MAX } from '../domain/webhooks/kept-part.ts';
import { createNetworks } from '../domain/webhooks/networks.ts';
import { bodyFor, toChatRequest, toRequest, UNREADABLE } from '../domain/webhooks/sending.ts';
import { createWebhooks, type Webhooks } from '../domain/webhooks/webhooks.ts';
import { VERSION } from '../version.ts';
import { type Deliveries, startDeliveries } from '../webhooks/deliveries.ts';
import { createSender, type SenderParts } from '../webhooks/sender.ts';
import { createSendSummary } from '../webhooks/summary.ts';
import type { Deliver, OnAttempt } from '../webhooks/work.ts';

const USER_AGENT = `Guildbook/${VERSION}`;

export interface WebhookEnvironment {
  clock: Clock;
  ids: IdSource;
  logger: BaseLogger;
  /** Replaces the resolution of names and the time limits of deliveries, for tests. */
  webhooks?: Omit<SenderParts, 'networks' | 'clock'> | undefined;
}

/** Creates the rules of webhooks and starts the deliveries. */
export function startWebhooks(
  config: Config,
  environment: WebhookEnvironment,
  {
    store,
    limiter,
    sealer,
    onAttempt,
  }: { store: Store; limiter: RateLimiter; sealer: Sealer; onAttempt: OnAttempt },
): { webhooks: Webhooks; stop(): Promise<void> } {
  const { clock, ids, logger } = environment;
  const networks = createNetworks(config.webhookAllowedNetworks);
  const sender = createSender({ networks, clock, ...environment.webhooks });
  const source = createEventSource({ ...store, views: store.ledgerViews });
  const context = () => ({ sealer, nowMs: clock.nowMs(), userAgent: USER_AGENT });
  const deliver: Deliver = async (webhook, message) => {
    const request = toRequest(webhook, message, context());
    return request === undefined ? UNREADABLE : sender.send(request);
  };
  const deliveries: Deliveries = startDeliveries({
    store: store.webhooks,
    source,
    deliver,
    sendSummary: createSendSummary({
      guilds: store.guilds,
      views: store.ledgerViews,
      seals: store.seals,
      clock,
      ids,
      async deliverRaw(webhook, message) {
        const request = toChatRequest(webhook, message, context());
        return request === undefined ? UNREADABLE : sender.send(request);
      },
    }),
    breakOff: () => sender.close(),
    onAttempt,
    clock,
    ids,
    logger,
  });
  const webhooks = createWebhooks({
    store: store.webhooks,
    keys: store.keys,
    source,
    sender,
    sealer,
    limiter,
    clock,
    ids,
    async sendNow(webhook, event) {
      const { id: eventId, type } = event;
      const atMs = clock.nowMs();
      const body = await bodyFor(webhook, event, source);
      const { status, durationMs, error, answer } = await deliver(webhook, { id: eventId, body });
      const payload = keptPart(body, PAYLOAD_KEPT_MAX);
      return { attemptId: ids.uuid(), eventId, type, atMs, status, durationMs, error, payload, answer };
    },
  });
  return {
    webhooks,
    async stop() {
      await deliveries.stop();
      sender.close();
    },
  };
}
