import { describe, expect, it } from 'vitest';
import {
  ATTEMPTS_KEPT_MAX,
  ATTEMPTS_KEPT_MS,
  WEBHOOKS_PER_GUILD_MAX,
} from '../../src/domain/webhooks/webhook.ts';
import { aDischarge, aTransaction, aVerification, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';
import { ALL, anAttempt, aWebhook, claim, NONE, progressOf } from './webhook-specimens.ts';

export function describeWebhookStore(createPlace: CreatePlace): void {
  describe('webhooks', () => {
    const open = shareByGuild(createPlace);

    it('an endpoint is found whole, by its own guild alone, and starts behind everything there is', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      await store.ledger.append(aTransaction(guild));
      const order = aWebhook(guild, {
        name: 'Shop bot',
        streams: ALL,
        checkAtMs: NOON_MS,
        summaryAtMs: NOON_MS + 7,
      });
      const made = await store.webhooks.insert(order, CHANGE);
      const { streams: _, ...given } = order;
      expect(made).toMatchObject({ ...given, status: 'active', announcedKeys: [] });
      expect(made.positions).toMatchObject({ feed: 1, audit: 1 });
      expect(await store.webhooks.find(guild, made.webhookId)).toEqual(made);
      expect(await store.webhooks.find(other, made.webhookId)).toBeUndefined();
      expect(await store.webhooks.list(other)).toEqual([]);
      expect(await store.webhooks.delete(other, made.webhookId, CHANGE)).toBe(false);
      expect(
        await store.webhooks.update(other, made.webhookId, { streams: ALL, fromNow: NONE }, CHANGE),
      ).toBeUndefined();
      expect(await store.webhooks.list(guild)).toEqual([made]);
    });

    it('a guild has a limited number of endpoints, and a deleted one makes room', async () => {
      const { store, guild } = await open();
      const made = [];
      for (let count = 0; count < WEBHOOKS_PER_GUILD_MAX; count += 1) {
        made.push(await store.webhooks.insert(aWebhook(guild, { createdAtMs: NOON_MS + count }), CHANGE));
      }
      expect(await store.webhooks.list(guild)).toEqual(made);
      await expect(store.webhooks.insert(aWebhook(guild), CHANGE)).rejects.toMatchObject({
        code: 'webhook_limit',
      });
      const [first] = made;
      expect(await store.webhooks.delete(guild, first?.webhookId ?? '', CHANGE)).toBe(true);
      await store.webhooks.insert(aWebhook(guild), CHANGE);
    });

    it('making, changing and deleting is in the audit log, without secrets', async () => {
      const { store, guild } = await open();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      await store.webhooks.update(
        guild,
        webhookId,
        { status: 'disabled', sealedSecret: 'new', streams: ALL, fromNow: NONE },
        CHANGE,
      );
      await store.webhooks.delete(guild, webhookId, CHANGE);
      const entries = await store.audit.list(guild, { limit: 3 });
      expect(entries.map(({ action, subjectKind }) => `${action} ${subjectKind}`)).toEqual([
        'delete webhook',
        'update webhook',
        'create webhook',
      ]);
      expect(JSON.stringify(entries)).not.toMatch(/sealed|new"/);
    });

    it('the name of an endpoint is changed, kept and cleared', async () => {
      const { store, guild } = await open();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      const nameAfter = async (name: string | null | undefined) => {
        await store.webhooks.update(guild, webhookId, { name, streams: ALL, fromNow: NONE }, CHANGE);
        return (await store.webhooks.find(guild, webhookId))?.name;
      };
      expect(await nameAfter('Shop bot 🛡️')).toBe('Shop bot 🛡️');
      expect(await nameAfter(undefined)).toBe('Shop bot 🛡️');
      expect(await nameAfter(null)).toBeUndefined();
      const [cleared] = await store.audit.list(guild, { limit: 1 });
      expect(cleared?.detail).toEqual({ before: { name: 'Shop bot 🛡️' } });
    });

    it('an attempt has its payload and answer when it is read alone, for its own guild', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      const whole = anAttempt({ payload: '{"type":"é"}', answer: 'line 1\nline 2' });
      const bare = anAttempt({ atMs: NOON_MS - 1 });
      await store.webhooks.addAttempt(guild, webhookId, whole);
      await store.webhooks.addAttempt(guild, webhookId, bare);
      const find = (attemptId: string) => store.webhooks.attempt(guild, webhookId, attemptId);
      expect(await find(whole.attemptId)).toEqual(whole);
      expect(await find(bare.attemptId)).toEqual(bare);
      expect(await find('none')).toBeUndefined();
      expect(await store.webhooks.attempt(other, webhookId, whole.attemptId)).toBeUndefined();
      const { payload: _payload, answer: _answer, ...listed } = whole;
      expect(await store.webhooks.attempts(guild, webhookId)).toEqual([listed, bare]);
    });

    it('an endpoint is claimed by one holder while something is there for it', async () => {
      const { store, openAnother, guild } = await open();
      const another = await openAnother();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      expect(await claim(store, guild, 'a')).toEqual([]);
      await store.ledger.append(aTransaction(guild));
      const both = await Promise.all([claim(store, guild, 'a'), claim(another, guild, 'b')]);
      expect(both.flat().map((webhook) => webhook.webhookId)).toEqual([webhookId]);
      // Once the lease has run out somebody else may have it, and the former holder writes nothing.
      const [won] = both.flat();
      const former = both[0].length > 0 ? 'a' : 'b';
      const [taken] = await claim(another, guild, 'c', NOON_MS + 1_001);
      expect(taken?.webhookId).toBe(webhookId);
      if (won === undefined || taken === undefined) {
        throw new Error('nobody got it');
      }
      const positions = { ...won.positions, feed: 1 };
      expect(await store.webhooks.record(progressOf(won, former, { positions }))).toBe(false);
      expect((await store.webhooks.find(guild, webhookId))?.positions.feed).toBe(0);
      expect(await another.webhooks.record(progressOf(taken, 'c', { positions }))).toBe(true);
      expect(await claim(store, guild, 'a', NOON_MS + 9_999)).toEqual([]);
    });

    it('each log gives work to who follows it, and to nobody else', async () => {
      const { store, guild } = await open();
      const streams = [
        { ...NONE, feed: true },
        { ...NONE, audit: true },
        { ...NONE, people: true },
      ];
      const [feed, audit, people] = await Promise.all(
        streams.map((one) => store.webhooks.insert(aWebhook(guild, { streams: one }), CHANGE)),
      );
      const settle = async (holder: string, nowMs: number) => {
        const claimed = await claim(store, guild, holder, nowMs);
        const positions = await store.webhooks.ends(guild);
        await Promise.all(
          claimed.map((webhook) => store.webhooks.record(progressOf(webhook, holder, { positions }))),
        );
        return claimed.map(({ webhookId }) => webhookId);
      };
      await settle('setup', NOON_MS);
      await store.ledger.append(aTransaction(guild));
      expect(await settle('a', NOON_MS + 1)).toEqual([feed?.webhookId]);
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      expect(await settle('b', NOON_MS + 2)).toEqual([audit?.webhookId]);
      await store.verifications.put([aVerification({ chatId: guild.guildId })], CHANGE);
      expect(await settle('c', NOON_MS + 3)).toEqual([people?.webhookId]);
    });

    it('a change or a replay makes what is under way write nothing but its attempts', async () => {
      const { store, guild } = await open();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      await store.ledger.append(aTransaction(guild));
      const [claimed] = await claim(store, guild, 'a');
      if (claimed === undefined) {
        throw new Error('nothing to claim');
      }
      expect(await store.webhooks.rewind(guild, webhookId, NOON_MS)).toBe(true);
      const done = { positions: { ...claimed.positions, feed: 1 }, attempts: [anAttempt()] };
      expect(await store.webhooks.record(progressOf(claimed, 'a', done))).toBe(false);
      expect(await store.webhooks.attempts(guild, webhookId)).toHaveLength(1);
      // It was given back at once.
      expect((await claim(store, guild, 'b'))[0]?.positions.feed).toBe(0);
    });

    it('a replay moves positions back to a time, never forward', async () => {
      const { store, guild } = await open();
      for (let minute = 0; minute < 5; minute += 1) {
        await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS + minute * 60_000 }));
      }
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      const feedAfter = async (sinceMs: number) => {
        await store.webhooks.rewind(guild, webhookId, sinceMs);
        return (await store.webhooks.find(guild, webhookId))?.positions.feed;
      };
      expect(await feedAfter(NOON_MS + 999_000)).toBe(5);
      expect(await feedAfter(NOON_MS + 180_000)).toBe(3);
      expect(await feedAfter(NOON_MS + 240_000)).toBe(3);
      expect(await feedAfter(0)).toBe(0);
      expect(await store.webhooks.rewind(guild, 'nobody', 0)).toBe(false);
    });

    it('deliveries wait until they are due, and are gone once they are settled', async () => {
      const { store, guild } = await open();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      const retry = (eventId: string, nextAtMs: number) => ({
        eventId,
        type: 'transaction.posted',
        body: '{"é":"🛡"}',
        attempts: 1,
        nextAtMs,
        eventAtMs: NOON_MS - 7,
      });
      expect(await store.webhooks.enqueue(guild, webhookId, retry('e2', NOON_MS + 20))).toBe(true);
      expect(await store.webhooks.enqueue(guild, webhookId, retry('e1', NOON_MS + 10))).toBe(true);
      expect(await store.webhooks.enqueue(guild, 'nobody', retry('e1', NOON_MS))).toBe(false);
      expect(await claim(store, guild, 'a', NOON_MS + 9)).toEqual([]);
      const [claimed] = await claim(store, guild, 'a', NOON_MS + 10);
      const due = (nowMs: number) => store.webhooks.due(guild, webhookId, { nowMs, limit: 9 });
      expect(await due(NOON_MS + 10)).toEqual([retry('e1', NOON_MS + 10)]);
      expect(await store.webhooks.countWaiting(guild, webhookId)).toBe(2);
      if (claimed === undefined) {
        throw new Error('nothing to claim');
      }
      const settled = ['e1'];
      const retries = [{ ...retry('e2', NOON_MS + 90), attempts: 2 }];
      expect(await store.webhooks.record(progressOf(claimed, 'a', { settled, retries }))).toBe(true);
      expect(await due(NOON_MS + 90)).toEqual(retries);
      expect(await claim(store, guild, 'b', NOON_MS + 89)).toEqual([]);
      expect(await claim(store, guild, 'b', NOON_MS + 90)).toHaveLength(1);
    });

    it('a disabled endpoint is not claimed and nothing waits for it; revived it starts from then', async () => {
      const { store, guild } = await open();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      await store.ledger.append(aTransaction(guild));
      const [claimed] = await claim(store, guild, 'a');
      if (claimed === undefined) {
        throw new Error('nothing to claim');
      }
      const retries = [
        { eventId: 'e', type: 't', body: '', attempts: 1, nextAtMs: NOON_MS, eventAtMs: undefined },
      ];
      const gone = { disabledReason: 'Gone.', failingSinceMs: NOON_MS - 1, retries };
      expect(await store.webhooks.record(progressOf(claimed, 'a', gone))).toBe(true);
      expect(await store.webhooks.find(guild, webhookId)).toMatchObject({
        status: 'disabled',
        disabledReason: 'Gone.',
      });
      expect(await store.webhooks.countWaiting(guild, webhookId)).toBe(0);
      expect(await claim(store, guild, 'b', NOON_MS + 5_000)).toEqual([]);
      const [entry] = await store.audit.list(guild, { limit: 1 });
      expect(entry).toMatchObject({ action: 'update', subjectKind: 'webhook', subjectId: webhookId });
      const wanted = { status: 'active', streams: { ...NONE, feed: true }, fromNow: ALL } as const;
      expect(await store.webhooks.update(guild, webhookId, wanted, CHANGE)).toMatchObject({
        status: 'active',
        disabledReason: undefined,
        failingSinceMs: undefined,
        positions: { feed: 1 },
      });
    });

    it('the last attempts are kept, newest first, for a limited time', async () => {
      const { store, guild } = await open();
      const { webhookId } = await store.webhooks.insert(aWebhook(guild), CHANGE);
      const old = anAttempt({ atMs: NOON_MS - ATTEMPTS_KEPT_MS - 1, status: undefined, error: 'no answer' });
      await store.webhooks.addAttempt(guild, webhookId, old);
      expect(await store.webhooks.attempts(guild, webhookId)).toEqual([old]);
      await store.ledger.append(aTransaction(guild));
      const [claimed] = await claim(store, guild, 'a');
      if (claimed === undefined) {
        throw new Error('nothing to claim');
      }
      const attempts = Array.from({ length: ATTEMPTS_KEPT_MAX + 5 }, (_, index) =>
        anAttempt({ eventId: `evt_${index}`, atMs: NOON_MS + index }),
      );
      await store.webhooks.record(progressOf(claimed, 'a', { attempts }));
      const last = anAttempt({ eventId: 'last', atMs: NOON_MS + attempts.length });
      await store.webhooks.addAttempt(guild, webhookId, last);
      const kept = await store.webhooks.attempts(guild, webhookId);
      expect(kept).toEqual([last, ...attempts.toReversed()].slice(0, ATTEMPTS_KEPT_MAX));
      await store.webhooks.addAttempt(guild, 'nobody', anAttempt());
    });

    it('the log is read on from a number, without gaps', async () => {
      const { store, guild } = await open();
      for (let count = 0; count < 4; count += 1) {
        await store.discharges.put(guild, [aDischarge(guild, { id: `D-${count}` })], CHANGE);
      }
      const numbers = async (afterEntryNo: number, limit: number) =>
        (await store.audit.after(guild, { afterEntryNo, limit })).map(({ entryNo }) => entryNo);
      expect(await numbers(0, 99)).toEqual([1, 2, 3, 4, 5]);
      expect(await numbers(2, 2)).toEqual([3, 4]);
      expect(await numbers(5, 2)).toEqual([]);
    });
  });
}
