import { describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { FAILING_COUNTS_AFTER_MS } from '../../src/domain/webhooks/retries.ts';
import type { Webhook, WebhookClaim } from '../../src/domain/webhooks/webhook.ts';
import { aGuild, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlace } from './store-place.ts';
import { aClaim, aWebhook, NONE, progressOf } from './webhook-specimens.ts';

/** Each endpoint has work from the start. */
async function addEndpoints(
  store: Store,
  guild: Guild,
  count: number,
  changes: Parameters<typeof aWebhook>[1] = {},
): Promise<Webhook[]> {
  const made: Webhook[] = [];
  for (let number = 0; number < count; number += 1) {
    const order = aWebhook(guild, { checkAtMs: NOON_MS, ...changes });
    made.push(await store.webhooks.insert(order, CHANGE));
  }
  return made;
}

const idsOf = (webhooks: readonly Webhook[]) => webhooks.map(({ webhookId }) => webhookId);

/** Which endpoints a process gets when there are more than it has room for. */
export function describeWebhookClaims(createPlace: CreatePlace): void {
  describe('claims of webhooks', () => {
    async function open() {
      const { store } = await openPlace(createPlace);
      const found = async (guildId: string) => {
        const guild = aGuild({ guildId });
        return store.guilds.set(guild, CHANGE);
      };
      const claim = (changes: Partial<WebhookClaim> = {}) => store.webhooks.claim(aClaim(changes));
      /** Gives a lease back, so that nobody takes the endpoint before a time. */
      const giveBack = (webhook: Webhook, leaseUntilMs: number, changes = {}) =>
        store.webhooks.record(progressOf(webhook, 'a', { leaseUntilMs, ...changes }));
      return { store, found, claim, giveBack };
    }

    it('those that have been free for the longest time come first, whatever their guild', async () => {
      const { store, found, claim, giveBack } = await open();
      const guilds = [await found('g1'), await found('g2'), await found('g3')];
      for (const guild of guilds) {
        await addEndpoints(store, guild, 1);
      }
      const [first, second, third] = (await claim()).toSorted(
        (one, other) => one.guild.guildNo - other.guild.guildNo,
      );
      if (first === undefined || second === undefined || third === undefined) {
        throw new Error('not all were claimed');
      }
      await giveBack(first, NOON_MS + 30);
      await giveBack(second, NOON_MS + 10);
      await giveBack(third, NOON_MS + 20);
      const nowMs = NOON_MS + 40;
      for (const expected of [second, third, first]) {
        expect(idsOf(await claim({ nowMs, untilMs: nowMs + 9, limit: 1 }))).toEqual([expected.webhookId]);
      }
    });

    it('nobody takes an endpoint before the time it was given back for, except after a change', async () => {
      const { store, found, claim, giveBack } = await open();
      const guild = await found('g1');
      await addEndpoints(store, guild, 1);
      const [webhook] = await claim();
      if (webhook === undefined) {
        throw new Error('nothing to claim');
      }
      await giveBack(webhook, NOON_MS + 60_000);
      expect(await claim({ nowMs: NOON_MS + 59_999 })).toEqual([]);
      const wanted = { streams: { ...NONE, feed: true }, fromNow: NONE };
      await store.webhooks.update(guild, webhook.webhookId, wanted, { ...CHANGE, atMs: NOON_MS + 5 });
      expect(await claim({ nowMs: NOON_MS + 4 })).toEqual([]);
      expect(await claim({ nowMs: NOON_MS + 5 })).toHaveLength(1);
    });

    it('a guild has a limited number of leases at once, those of other holders included', async () => {
      const { store, found, claim } = await open();
      const [one, other] = [await found('g1'), await found('g2')];
      await addEndpoints(store, one, 6);
      await addEndpoints(store, other, 1);
      const countOf = (claimed: readonly Webhook[], guild: Guild) =>
        claimed.filter((webhook) => webhook.guild.guildNo === guild.guildNo).length;
      const first = await claim({ guildLimit: 3, limit: 2 });
      expect(first).toHaveLength(2);
      const second = await claim({ holder: 'b', guildLimit: 3 });
      expect(countOf([...first, ...second], one)).toBe(3);
      expect(countOf([...first, ...second], other)).toBe(1);
      expect(await claim({ guildLimit: 3 })).toEqual([]);
      // A lease that ran out counts no more.
      const nowMs = NOON_MS + 1_000;
      expect(countOf(await claim({ nowMs, untilMs: nowMs + 1, guildLimit: 3 }), one)).toBe(3);
    });

    it('a lease that was given back makes room for the next one of its guild', async () => {
      const { store, found, claim, giveBack } = await open();
      await addEndpoints(store, await found('g1'), 2);
      const [first] = await claim({ guildLimit: 1 });
      if (first === undefined) {
        throw new Error('nothing to claim');
      }
      await giveBack(first, NOON_MS + 60_000);
      const next = await claim({ guildLimit: 1 });
      expect(next).toHaveLength(1);
      expect(next[0]?.webhookId).not.toBe(first.webhookId);
    });

    it('endpoints that have failed for a minute are limited, and leave the others their room', async () => {
      const { store, found, claim, giveBack } = await open();
      const guilds = [await found('g1'), await found('g2'), await found('g3'), await found('g4')];
      for (const guild of guilds) {
        await addEndpoints(store, guild, 1);
      }
      const claimed = await claim();
      for (const [index, webhook] of claimed.entries()) {
        // All but the last have failed for long enough, and have been free for longer.
        const failingSinceMs = index < 3 ? NOON_MS - FAILING_COUNTS_AFTER_MS : undefined;
        await giveBack(webhook, NOON_MS + index, { failingSinceMs });
      }
      const nowMs = NOON_MS + 10;
      const next = await claim({ nowMs, failingLimit: 1 });
      expect(idsOf(next)).toEqual(expect.arrayContaining(idsOf(claimed.slice(0, 1))));
      expect(idsOf(next)).toEqual(expect.arrayContaining(idsOf(claimed.slice(3))));
      expect(next).toHaveLength(2);
    });

    it('an endpoint that began to fail less than a minute ago is not limited with those that fail', async () => {
      const { store, found, claim, giveBack } = await open();
      await addEndpoints(store, await found('g1'), 1);
      const [webhook] = await claim();
      if (webhook === undefined) {
        throw new Error('nothing to claim');
      }
      const failingSinceMs = NOON_MS;
      await giveBack(webhook, NOON_MS, { failingSinceMs });
      const countsFromMs = failingSinceMs + FAILING_COUNTS_AFTER_MS;
      expect(await claim({ nowMs: countsFromMs, failingLimit: 0 })).toEqual([]);
      expect(await claim({ nowMs: countsFromMs - 1, failingLimit: 0 })).toHaveLength(1);
    });

    it('kinds are claimed apart, and do not count against each other', async () => {
      const { store, found, claim } = await open();
      const guild = await found('g1');
      const chat = await addEndpoints(store, guild, 1, { kind: 'discord', sealedUrl: 'sealed' });
      const standard = await addEndpoints(store, guild, 1);
      await store.ledger.append(aTransaction(guild));
      expect(idsOf(await claim({ kind: 'discord', guildLimit: 1 }))).toEqual(idsOf(chat));
      expect(idsOf(await claim({ guildLimit: 1 }))).toEqual(idsOf(standard));
    });
  });
}
