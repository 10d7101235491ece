import { describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import type { Webhook, WebhookClaim } from '../../src/domain/webhooks/webhook.ts';
import { SWEPT_MAX } from '../../src/store/webhooks/webhook-waking.ts';
import { aDischarge, aGuild, aTransaction, aVerification, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlace } from './store-place.ts';
import { aClaim, aWebhook, NONE, progressOf } from './webhook-specimens.ts';

const idsOf = (webhooks: readonly Webhook[]) => webhooks.map(({ webhookId }) => webhookId);

/** Copies an idle endpoint past the port: through it they would take minutes. */
const copiesOf = ({ webhookId, guild }: Webhook, count: number) => `
  INSERT INTO webhook (guild_no, webhook_id, kind, url, events, filter, status, created_at, generation, follows_feed,
    follows_audit, follows_people, feed_number, audit_entry_no, people_entry_no, announced_keys, lease_until)
  WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
  SELECT guild_no, webhook_id || '-' || n, kind, url, events, filter, status, created_at, generation, follows_feed,
    follows_audit, follows_people, feed_number, audit_entry_no, people_entry_no, announced_keys, lease_until
  FROM webhook CROSS JOIN numbers WHERE guild_no = ${guild.guildNo} AND webhook_id = '${webhookId}'`;

/** Which endpoints a process learns of that they have something to deliver. */
export function describeWebhookWaking(createPlace: CreatePlace): void {
  describe('waking webhooks', () => {
    async function open() {
      const place = await openPlace(createPlace);
      const { store } = place;
      const claimWith = (from: Store, changes: Partial<WebhookClaim> = {}) =>
        from.webhooks.claim(aClaim(changes));
      const add = (guild: Guild, changes: Parameters<typeof aWebhook>[1] = {}) =>
        store.webhooks.insert(aWebhook(guild, changes), CHANGE);
      const found = (guildId: string) => store.guilds.set(aGuild({ guildId }), CHANGE);
      return {
        ...place,
        found,
        add,
        claim: (changes?: Partial<WebhookClaim>) => claimWith(store, changes),
        claimWith,
      };
    }

    /** A guild with more idle endpoints than one look goes over, before the guild that is asked for. */
    async function openCrowded() {
      const opened = await open();
      const crowd = await opened.add(await opened.found('crowd'));
      await opened.execute(copiesOf(crowd, 2 * SWEPT_MAX));
      return { ...opened, guild: await opened.found('g1') };
    }

    it('a post of this process wakes its endpoint at once, however many others are idle', async () => {
      const { store, guild, add, claim } = await openCrowded();
      const webhook = await add(guild);
      expect(await claim()).toEqual([]);
      await store.ledger.append(aTransaction(guild));
      expect(idsOf(await claim())).toEqual([webhook.webhookId]);
    });

    it('so does a change in the audit log', async () => {
      const { store, guild, add, claim } = await openCrowded();
      const webhook = await add(guild, { streams: { ...NONE, audit: true } });
      const [created] = await claim();
      const positions = await store.webhooks.ends(guild);
      await store.webhooks.record(progressOf(created ?? webhook, 'a', { positions }));
      expect(await claim()).toEqual([]);
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      expect(idsOf(await claim())).toEqual([webhook.webhookId]);
    });

    it('a verification wakes every endpoint that follows them', async () => {
      const { store, guild, found, add, claim } = await openCrowded();
      const streams = { ...NONE, people: true };
      const webhooks = [await add(guild, { streams }), await add(await found('g2'), { streams })];
      expect(await claim()).toEqual([]);
      await store.verifications.put([aVerification()], CHANGE);
      expect(idsOf(await claim()).toSorted()).toEqual(idsOf(webhooks).toSorted());
    });

    it('an event that another process wrote is found by looking at all endpoints in turn', async () => {
      const { guild, add, claimWith, openAnother, store } = await openCrowded();
      const webhook = await add(guild);
      const other = await openAnother();
      await store.ledger.append(aTransaction(guild));
      const claimed: string[] = [];
      for (let look = 0; look < 3; look += 1) {
        claimed.push(...idsOf(await claimWith(other)));
      }
      expect(claimed).toEqual([webhook.webhookId]);
    });

    it('an endpoint with an event that came during its lease is claimed after its release', async () => {
      const { store, guild, add, claim } = await openCrowded();
      await add(guild);
      await store.ledger.append(aTransaction(guild));
      const [webhook] = await claim();
      if (webhook === undefined) {
        throw new Error('nothing to claim');
      }
      const positions = await store.webhooks.ends(guild);
      await store.ledger.append(aTransaction(guild));
      expect(await claim({ holder: 'b' })).toEqual([]);
      await store.webhooks.record(progressOf(webhook, 'a', { positions }));
      expect(idsOf(await claim({ holder: 'b' }))).toEqual([webhook.webhookId]);
    });

    it('another process claims at once what was released before its end, and what was never released', async () => {
      const { store, guild, add, claim, claimWith, openAnother } = await openCrowded();
      await add(guild);
      await store.ledger.append(aTransaction(guild));
      const [webhook] = await claim();
      if (webhook === undefined) {
        throw new Error('nothing to claim');
      }
      const other = await openAnother();
      await store.webhooks.record(progressOf(webhook, 'a', { hasMore: true }));
      expect(idsOf(await claimWith(other))).toEqual([webhook.webhookId]);
      const nowMs = NOON_MS + 1_000;
      const third = await openAnother();
      expect(idsOf(await claimWith(third, { nowMs, untilMs: nowMs + 1 }))).toEqual([webhook.webhookId]);
    });

    it('an endpoint that rests is claimed after its rest, with the event that came meanwhile', async () => {
      const { store, guild, add, claim } = await openCrowded();
      await add(guild);
      await store.ledger.append(aTransaction(guild));
      const [webhook] = await claim();
      if (webhook === undefined) {
        throw new Error('nothing to claim');
      }
      const positions = await store.webhooks.ends(guild);
      const leaseUntilMs = NOON_MS + 500;
      await store.webhooks.record(progressOf(webhook, 'a', { positions, leaseUntilMs }));
      await store.ledger.append(aTransaction(guild));
      expect(await claim()).toEqual([]);
      expect(await claim({ nowMs: leaseUntilMs - 1 })).toEqual([]);
      expect(idsOf(await claim({ nowMs: leaseUntilMs }))).toEqual([webhook.webhookId]);
    });
  });
}
