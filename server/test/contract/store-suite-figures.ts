import { describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import type { NewWebhook, WebhookRetry } from '../../src/domain/webhooks/webhook.ts';
import { aDischarge, aGuild, aTransaction, aVerification, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlace, openWithGuild } from './store-place.ts';
import { ALL, aWebhook, claim, NONE, progressOf } from './webhook-specimens.ts';

/** Figures are those of all guilds, so each test has a place of its own. */
export function describeFigures(createPlace: CreatePlace): void {
  describe('figures', () => {
    it('an empty store has no guild; the newest transaction is that of all guilds, and 0 before the first one', async () => {
      const { store } = await openPlace(createPlace);
      expect(await store.guilds.hasAny()).toBe(false);
      expect(await store.figures.newestTransactionAtMs()).toBe(0);
      for (const [index, atMs] of [NOON_MS, NOON_MS + 5_000, NOON_MS + 1_000].entries()) {
        const guild = await store.guilds.set(aGuild({ guildId: `guild-${index}` }), CHANGE);
        await store.ledger.append(aTransaction(guild, { createdAtMs: atMs }));
      }
      expect(await store.guilds.hasAny()).toBe(true);
      expect(await store.figures.newestTransactionAtMs()).toBe(NOON_MS + 5_000);
    });

    it('a store has a size, in bytes', async () => {
      const { store } = await openPlace(createPlace);
      expect((await store.figures.disk()).databaseBytes).toBeGreaterThan(4_096);
    });

    it('endpoints are counted by state', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      expect(await store.figures.webhooks()).toMatchObject({ active: 0, failing: 0, disabled: 0 });
      await insertEndpoint(store, guild);
      const failing = await insertEndpoint(store, guild, { checkAtMs: NOON_MS });
      const disabled = await insertEndpoint(store, guild, { checkAtMs: NOON_MS });
      const claimed = await claim(store, guild, 'a');
      for (const webhook of claimed) {
        const isGone = webhook.webhookId === disabled.webhookId;
        await store.webhooks.record(
          progressOf(webhook, 'a', {
            failingSinceMs: NOON_MS,
            checkAtMs: undefined,
            ...(isGone && { disabledReason: 'Gone.' }),
          }),
        );
      }
      expect(claimed.map(({ webhookId }) => webhookId).toSorted()).toEqual(
        [failing.webhookId, disabled.webhookId].toSorted(),
      );
      expect(await store.figures.webhooks()).toMatchObject({ active: 1, failing: 1, disabled: 1 });
    });

    it('the oldest event that waits for its first attempt is found in each log that an endpoint follows', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const oldest = async () => (await store.figures.webhooks()).oldestNewAtMs;
      const at = (atMs: number) => ({ ...CHANGE, atMs });
      expect(await oldest()).toBeUndefined();
      // The endpoint itself is the next entry in the log of changes.
      await store.webhooks.insert(aWebhook(guild, { streams: ALL }), at(NOON_MS + 9_000));
      expect(await oldest()).toBe(NOON_MS + 9_000);
      await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS + 3_000 }));
      await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS + 4_000 }));
      expect(await oldest()).toBe(NOON_MS + 3_000);
      await store.verifications.put([aVerification()], at(NOON_MS + 1_000));
      expect(await oldest()).toBe(NOON_MS + 1_000);
    });

    it('what an endpoint does not follow, has had or is disabled for does not wait', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const oldest = async () => (await store.figures.webhooks()).oldestNewAtMs;
      const { webhookId } = await insertEndpoint(store, guild);
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      expect(await oldest()).toBeUndefined();
      await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS }));
      expect(await oldest()).toBe(NOON_MS);
      const [claimed] = await claim(store, guild, 'a');
      if (claimed === undefined) {
        throw new Error('nothing to claim');
      }
      const positions = { ...claimed.positions, feed: claimed.positions.feed + 1 };
      await store.webhooks.record(progressOf(claimed, 'a', { positions }));
      expect(await oldest()).toBeUndefined();
      await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS + 1 }));
      expect(await oldest()).toBe(NOON_MS + 1);
      const wanted = { status: 'disabled', streams: { ...NONE, feed: true }, fromNow: NONE } as const;
      await store.webhooks.update(guild, webhookId, wanted, CHANGE);
      expect(await oldest()).toBeUndefined();
    });

    it('the oldest event that waits for another attempt is found among those of active endpoints', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const oldest = async () => (await store.figures.webhooks()).oldestRetryAtMs;
      const { webhookId } = await insertEndpoint(store, guild);
      const other = await insertEndpoint(store, guild);
      await store.webhooks.enqueue(guild, webhookId, aRetry({ eventId: 'e1', eventAtMs: NOON_MS + 2 }));
      await store.webhooks.enqueue(guild, webhookId, aRetry({ eventId: 'e2', eventAtMs: NOON_MS + 1 }));
      // An older version kept this one.
      await store.webhooks.enqueue(guild, webhookId, aRetry({ eventId: 'e3', eventAtMs: undefined }));
      expect(await oldest()).toBe(NOON_MS + 1);
      await store.webhooks.enqueue(guild, other.webhookId, aRetry({ eventId: 'e4', eventAtMs: NOON_MS - 9 }));
      expect(await oldest()).toBe(NOON_MS - 9);
      const wanted = { status: 'disabled', streams: { ...NONE, feed: true }, fromNow: NONE } as const;
      await store.webhooks.update(guild, other.webhookId, wanted, CHANGE);
      expect(await oldest()).toBe(NOON_MS + 1);
      await store.webhooks.delete(guild, webhookId, CHANGE);
      expect(await oldest()).toBeUndefined();
    });
  });
}

function insertEndpoint(store: Store, guild: Guild, changes: Partial<NewWebhook> = {}) {
  return store.webhooks.insert(aWebhook(guild, changes), CHANGE);
}

function aRetry(changes: Partial<WebhookRetry>): WebhookRetry {
  return {
    eventId: 'e',
    type: 'transaction.posted',
    body: '{}',
    attempts: 1,
    nextAtMs: NOON_MS,
    eventAtMs: NOON_MS,
    ...changes,
  };
}
