import { describe, expect, it } from 'vitest';
import type { Webhook } from '../../src/domain/webhooks/webhook.ts';
import { aGuild, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlace } from './store-place.ts';
import { aClaim, anAttempt, aWebhook, progressOf } from './webhook-specimens.ts';

const GUILDS = 20;
const PER_GUILD = 3;

/** Results of deliveries that arrive at the same time, which the stores write together. */
export function describeWebhookResults(createPlace: CreatePlace): void {
  describe('results of many webhooks at once', () => {
    async function open() {
      const { store } = await openPlace(createPlace);
      for (let number = 0; number < GUILDS; number += 1) {
        const guild = await store.guilds.set(aGuild({ guildId: `g${number}` }), CHANGE);
        for (let index = 0; index < PER_GUILD; index += 1) {
          await store.webhooks.insert(aWebhook(guild, { checkAtMs: NOON_MS }), CHANGE);
        }
      }
      const claimed = await store.webhooks.claim(aClaim());
      const read = async ({ guild, webhookId }: Webhook) => ({
        webhook: await store.webhooks.find(guild, webhookId),
        attempts: await store.webhooks.attempts(guild, webhookId),
        waiting: await store.webhooks.countWaiting(guild, webhookId),
      });
      return { store, claimed, read };
    }

    const aRetry = (eventId: string, nextAtMs: number) => ({
      eventId,
      type: 'transaction.posted',
      body: `{"of":"${eventId}"}`,
      attempts: 1,
      nextAtMs,
      eventAtMs: NOON_MS,
    });

    it('each endpoint gets its own', async () => {
      const { store, claimed, read } = await open();
      expect(claimed).toHaveLength(GUILDS * PER_GUILD);
      const isOdd = (index: number) => index % 2 === 1;
      const outcomes = await Promise.all(
        claimed.map((webhook, index) =>
          store.webhooks.record(
            progressOf(webhook, 'a', {
              positions: { feed: index, audit: index + 1, people: index + 2 },
              attempts: [anAttempt({ eventId: `evt_${index}`, status: isOdd(index) ? 500 : 200 })],
              retries: isOdd(index) ? [aRetry(`evt_${index}`, NOON_MS + 100 + index)] : [],
              failingSinceMs: isOdd(index) ? NOON_MS + index : undefined,
              checkAtMs: undefined,
              announcedKeys: [`key ${index}`],
            }),
          ),
        ),
      );
      expect(outcomes).toEqual(claimed.map(() => true));
      for (const [index, webhook] of claimed.entries()) {
        const { webhook: found, attempts, waiting } = await read(webhook);
        expect(found).toMatchObject({
          positions: { feed: index, audit: index + 1, people: index + 2 },
          announcedKeys: [`key ${index}`],
          status: 'active',
        });
        expect(found?.failingSinceMs).toBe(isOdd(index) ? NOON_MS + index : undefined);
        expect(found?.retryAtMs).toBe(isOdd(index) ? NOON_MS + 100 + index : undefined);
        expect(attempts.map(({ eventId }) => eventId)).toEqual([`evt_${index}`]);
        expect(waiting).toBe(isOdd(index) ? 1 : 0);
      }
      // Only those with a retry are due again, each from its time on.
      const due = await store.webhooks.claim(aClaim({ nowMs: NOON_MS + 110, untilMs: NOON_MS + 999_999 }));
      const expected = claimed.filter((_, index) => isOdd(index) && index <= 10);
      expect(due.map(({ webhookId }) => webhookId).toSorted()).toEqual(
        expected.map(({ webhookId }) => webhookId).toSorted(),
      );
    });

    it('those of lost leases, changed and deleted endpoints are not written, and do not stop the others', async () => {
      const { store, claimed, read } = await open();
      const [lost, changed, deleted, disabled, ...others] = claimed;
      if (lost === undefined || changed === undefined || deleted === undefined || disabled === undefined) {
        throw new Error('too few');
      }
      await store.webhooks.rewind(changed.guild, changed.webhookId, 0);
      await store.webhooks.delete(deleted.guild, deleted.webhookId, CHANGE);
      const result = { positions: { feed: 7, audit: 7, people: 7 }, attempts: [anAttempt()] };
      const record = (webhook: Webhook, holder: string, more = {}) =>
        store.webhooks.record(progressOf(webhook, holder, { ...result, attempts: [anAttempt()], ...more }));
      const outcomes = await Promise.all([
        record(lost, 'another'),
        record(changed, 'a'),
        record(deleted, 'a'),
        record(disabled, 'a', { disabledReason: 'Gone.', retries: [aRetry('evt_1', NOON_MS)] }),
        ...others.map((webhook) => record(webhook, 'a')),
      ]);
      expect(outcomes).toEqual([false, false, false, true, ...others.map(() => true)]);
      expect((await read(lost)).webhook?.positions.feed).toBe(0);
      expect((await read(lost)).attempts).toHaveLength(1);
      expect((await read(changed)).attempts).toHaveLength(1);
      expect((await read(disabled)).webhook).toMatchObject({ status: 'disabled', disabledReason: 'Gone.' });
      expect((await read(disabled)).waiting).toBe(0);
      for (const webhook of others) {
        expect((await read(webhook)).webhook?.positions.feed).toBe(7);
      }
    });

    it('two of one endpoint are both written, the lease of the second being lost', async () => {
      const { store, claimed, read } = await open();
      const [webhook] = claimed;
      if (webhook === undefined) {
        throw new Error('nothing to claim');
      }
      const outcomes = await Promise.all(
        [1, 2].map((feed) =>
          store.webhooks.record(
            progressOf(webhook, 'a', { positions: { ...webhook.positions, feed }, attempts: [anAttempt()] }),
          ),
        ),
      );
      expect(outcomes).toEqual([true, false]);
      expect((await read(webhook)).webhook?.positions.feed).toBe(1);
      expect((await read(webhook)).attempts).toHaveLength(2);
    });

    it('old attempts and those above the limit are deleted for each endpoint', async () => {
      const { store, claimed, read } = await open();
      const [many, old] = claimed;
      if (many === undefined || old === undefined) {
        throw new Error('too few');
      }
      const dayMs = 86_400_000;
      const attemptsOf = (count: number, atMs: number) =>
        Array.from({ length: count }, (_, index) => anAttempt({ atMs: atMs + index }));
      const record = (webhook: Webhook, attempts: ReturnType<typeof attemptsOf>, isHeld: boolean) =>
        store.webhooks.record(progressOf(webhook, 'a', { attempts, isHeld, leaseUntilMs: NOON_MS + 1_000 }));
      await Promise.all([
        record(many, attemptsOf(150, NOON_MS), true),
        record(old, attemptsOf(5, NOON_MS - 31 * dayMs), true),
      ]);
      await Promise.all([
        record(many, attemptsOf(150, NOON_MS + 500), false),
        record(old, attemptsOf(2, NOON_MS), false),
      ]);
      const kept = (await read(many)).attempts;
      expect(kept).toHaveLength(200);
      expect(kept.at(-1)?.atMs).toBe(NOON_MS + 100);
      expect((await read(old)).attempts.map(({ atMs }) => atMs)).toEqual([NOON_MS + 1, NOON_MS]);
    });
  });
}
