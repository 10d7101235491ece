import { countsAsFailing } from '../domain/webhooks/retries.ts';
import { WEBHOOKS_PER_GUILD_MAX, type Webhook, type WebhookKind } from '../domain/webhooks/webhook.ts';
import { type ChatPumpParts, pumpChat } from './chat-pump.ts';
import { pump } from './pump.ts';
import { createSlots, type SlotBounds, type SlotUser } from './slots.ts';
import { LEASE_MS } from './work.ts';

/** Requests of one process that may be under way at once. Both kinds have their own. */
const SLOTS: SlotBounds = { max: 256, failingMax: 64, guildMax: 4 };
/**
 * Chat channels that one process holds. Most of them collect events, which takes no slot. A guild cannot reach its bound: all of
 * its channels may collect at once.
 */
const CHANNELS: SlotBounds = { max: 2_000, failingMax: 500, guildMax: WEBHOOKS_PER_GUILD_MAX + 1 };

export interface LaneParts extends Omit<ChatPumpParts, 'leaseUntilMs' | 'inSlot' | 'isContended'> {
  /** Called when a delivery was broken off. Its lease runs out by itself, and the endpoint is then taken up again. */
  onBroken: (webhook: Webhook, error: unknown) => void;
  /** Called when an endpoint makes room that others may wait for. */
  onRoom: () => void;
}

/** Deliveries of one process to the endpoints of one kind. */
export interface Lane {
  /** Claims endpoints with something to deliver, as far as there is room, and works on them. */
  look(): Promise<void>;
  /** Resolves when everything under way has ended. */
  settled(): Promise<void>;
}

/**
 * A standard endpoint has its slot for its whole turn. A chat channel collects events for most of its turn, so that it takes a slot
 * for each request alone.
 */
export function createLane(kind: WebhookKind, parts: LaneParts): Lane {
  const { store, clock, holder, onRoom } = parts;
  const bounds = kind === 'standard' ? SLOTS : CHANNELS;
  const places = createSlots(bounds);
  const requests = createSlots(SLOTS);
  const running = new Map<string, Promise<void>>();

  async function work(webhook: Webhook, leaseUntilMs: number): Promise<void> {
    const user: SlotUser = {
      guildNo: webhook.guild.guildNo,
      isFailing: countsAsFailing(webhook, clock.nowMs()),
    };
    const isContended = () => places.isContended(user.guildNo);
    const turnParts = { ...parts, leaseUntilMs, isContended };
    await places.run(user, async () => {
      await (kind === 'standard'
        ? pump(webhook, { ...turnParts, inSlot: (request) => request() })
        : pumpChat(webhook, { ...turnParts, inSlot: (request) => requests.run(user, request) }));
      if (isContended()) {
        onRoom();
      }
    });
  }

  function start(webhook: Webhook, leaseUntilMs: number): void {
    const { webhookId } = webhook;
    const run = work(webhook, leaseUntilMs)
      .catch((error) => parts.onBroken(webhook, error))
      .finally(() => running.delete(webhookId));
    running.set(webhookId, run);
  }

  return {
    async look() {
      const { slots: limit, failing: failingLimit } = places.free();
      if (limit <= 0) {
        return;
      }
      const nowMs = clock.nowMs();
      const untilMs = nowMs + LEASE_MS;
      const { guildMax: guildLimit } = bounds;
      const claimed = await store.claim({ holder, kind, nowMs, untilMs, limit, failingLimit, guildLimit });
      for (const webhook of claimed) {
        // A clock that jumped lets a lease run out while its holder is at work; it notices when it writes.
        if (!running.has(webhook.webhookId)) {
          start(webhook, untilMs);
        }
      }
    },
    async settled() {
      await Promise.all(running.values());
    },
  };
}
