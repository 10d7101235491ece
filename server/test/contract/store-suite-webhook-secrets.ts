import { describe, expect, it } from 'vitest';
import type { SealedWebhook, Webhook, WebhookChange } from '../../src/domain/webhooks/webhook.ts';
import { CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';
import { ALL, aWebhook, NONE } from './webhook-specimens.ts';

/** Sealed secrets and addresses of webhooks. */
export function describeWebhookSecrets(createPlace: CreatePlace): void {
  describe('webhooks', () => {
    const open = shareByGuild(createPlace);

    it('what is sealed is read page by page, of all guilds, each endpoint once', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const made: Webhook[] = [];
      for (const one of [guild, other, guild]) {
        const sealed = { sealedUrl: 'address', sealedSecret: undefined, kind: 'discord' } as const;
        made.push(await store.webhooks.insert(aWebhook(one, made.length === 1 ? sealed : {}), CHANGE));
      }
      const read: SealedWebhook[] = [];
      for (let page: SealedWebhook[] | undefined; page === undefined || page.length > 0; ) {
        page = await store.webhooks.readSealed({ after: read.at(-1), limit: 2 });
        read.push(...page);
      }
      // The place is shared with other tests.
      const ours = read.filter(({ guildNo }) => [guild.guildNo, other.guildNo].includes(guildNo));
      const expected = made.map(({ guild: { guildNo }, webhookId, kind, ...sealed }) => {
        const { sealedUrl, sealedSecret, sealedOldSecret } = sealed;
        return { guildNo, webhookId, kind, sealedUrl, sealedSecret, sealedOldSecret };
      });
      const byKey = (one: SealedWebhook, another: SealedWebhook) =>
        one.guildNo - another.guildNo || (one.webhookId < another.webhookId ? -1 : 1);
      expect(ours).toStrictEqual(expected.toSorted(byKey));
    });

    it('a sealed value is replaced while it is the one that was read, and nothing else changes', async () => {
      const { store, guild } = await open();
      const sealed = { sealedUrl: 'address', sealedSecret: 'secret' };
      const made = await store.webhooks.insert(aWebhook(guild, sealed), CHANGE);
      await store.webhooks.update(
        guild,
        made.webhookId,
        { sealedOldSecret: 'old', oldSecretUntilMs: NOON_MS, streams: ALL, fromNow: NONE },
        CHANGE,
      );
      const before = await store.webhooks.find(guild, made.webhookId);
      const target = { guildNo: guild.guildNo, webhookId: made.webhookId };
      const log = await store.audit.list(guild, { limit: 99 });
      const values = { sealedUrl: 'address', sealedSecret: 'secret', sealedOldSecret: 'old' } as const;
      for (const field of ['sealedUrl', 'sealedSecret', 'sealedOldSecret'] as const) {
        const from = values[field];
        expect(await store.webhooks.reseal(target, { field, from: 'other', to: 'lost' })).toBe(false);
        expect(await store.webhooks.reseal(target, { field, from, to: `${from} anew` })).toBe(true);
        expect(await store.webhooks.reseal(target, { field, from, to: 'lost' })).toBe(false);
      }
      expect(await store.webhooks.find(guild, made.webhookId)).toEqual({
        ...before,
        sealedUrl: 'address anew',
        sealedSecret: 'secret anew',
        sealedOldSecret: 'old anew',
      });
      expect(await store.audit.list(guild, { limit: 99 })).toEqual(log);
      const nobody = { guildNo: guild.guildNo, webhookId: 'nobody' };
      expect(await store.webhooks.reseal(nobody, { field: 'sealedUrl', from: 'a', to: 'b' })).toBe(false);
    });

    it('a change keeps the sealed values that it does not name, and null takes the old secret away', async () => {
      const { store, guild } = await open();
      const order = aWebhook(guild, { sealedUrl: 'address', sealedSecret: 'secret' });
      const { webhookId } = await store.webhooks.insert(order, CHANGE);
      const change = (wanted: Partial<WebhookChange>) =>
        store.webhooks.update(guild, webhookId, { streams: ALL, fromNow: NONE, ...wanted }, CHANGE);
      const rotated = await change({ sealedOldSecret: 'old', oldSecretUntilMs: NOON_MS });
      const kept = { sealedUrl: 'address', sealedSecret: 'secret', sealedOldSecret: 'old' };
      expect(rotated).toMatchObject({ ...kept, oldSecretUntilMs: NOON_MS });
      expect(await change({ status: 'disabled' })).toMatchObject({ ...kept, oldSecretUntilMs: NOON_MS });
      expect(await change({ sealedOldSecret: null, oldSecretUntilMs: null })).toMatchObject({
        ...kept,
        sealedOldSecret: undefined,
        oldSecretUntilMs: undefined,
      });
    });
  });
}
