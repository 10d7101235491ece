import { countsAsFailing } from '../domain/webhooks/retries.ts';
import { WEBHOOKS_PER_GUILD_MAX, type Webhook, type WebhookKind } from '../domain/webhooks/webhook.ts';
import { type ChatPumpParts, pumpChat } from './chat-pump.ts';
import { pump } from './pump.ts';
import { createSlots, type SlotBounds, type SlotUser } from './slots.ts';
import { LEASE_MS } from './work.ts';

/** Limits of the concurrent requests of one process. Each kind has its own. */
const SLOTS: SlotBounds = { max: 256, failingMax: 64, guildMax: 4 };
/**
 * Limits of the chat channels that one process holds. Most of them are collecting events, which takes no slot. A
 * guild cannot reach its limit: all of its channels may collect at once.
 */
const CHANNELS: SlotBounds = { max: 2_000, failingMax: 500, guildMax: WEBHOOKS_PER_GUILD_MAX + 1 };

export interface LaneParts extends Omit<ChatPumpParts, 'leaseUntilMs' | 'inSlot' | 'isContended'> {
  /** Called when work on an endpoint failed. Its lease expires by itself, and then the endpoint is claimed again. */
  onBroken: (webhook: Webhook, error: unknown) => void;
  /** Called when an endpoint releases a slot that others may wait for. */
  onRoom: () => void;
}

/** The deliveries of one process to endpoints of one kind. */
export interface Lane {
  /** Claims endpoints with something to deliver, as far as there are free slots, and starts work on them. */
  look(): Promise<void>;
  /** Resolves when all work has ended. */
  settled(): Promise<void>;
}

/**
 * A standard endpoint holds its slot for its whole turn. A chat channel collects events for most of its turn, so it
 * takes a slot only for each request.
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
        // After a jump of the clock a lease may expire while its holder still works; the holder notices when it
        // writes.
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
