import { describe, expect, it } from 'vitest';
import type { Store } from '../../src/domain/ports.ts';
import {
  aCommand,
  aDischarge,
  aGuild,
  aKey,
  aPastTransaction,
  aQuery,
  aTransaction,
  aTransfer,
  aVerification,
  CHANGE,
  NOON_MS,
} from './specimens.ts';
import { type CreatePlace, openPlace, openWithGuild } from './store-place.ts';
import { fill, snapshot } from './stored-sample.ts';

export function describeClosing(createPlace: CreatePlace): void {
  describe('closing', () => {
    const guild = { guildNo: 1, guildId: 'g' };
    const calls: Record<string, (store: Store) => Promise<unknown>> = {
      check: (store) => store.check(),
      'guilds.find': (store) => store.guilds.find('g'),
      'guilds.list': (store) => store.guilds.list(),
      'guilds.set': (store) => store.guilds.set(aGuild(), CHANGE),
      'keys.findByHash': (store) => store.keys.findByHash('hash'),
      'keys.insert': (store) => store.keys.insert(aKey(guild), CHANGE),
      'keys.list': (store) => store.keys.list(guild),
      'keys.listNames': (store) => store.keys.listNames(guild),
      'keys.delete': (store) => store.keys.delete('key', CHANGE),
      'keys.touch': (store) => store.keys.touch([{ keyNo: 1, usedAtMs: NOON_MS }]),
      'discharges.find': async (store) => store.discharges.find(guild, 'D'),
      'transfers.find': async (store) => store.transfers.find(guild, 'T'),
      'discharges.put': (store) => store.discharges.put(guild, [aDischarge(guild)], CHANGE),
      'transfers.put': (store) => store.transfers.put(guild, [aTransfer(guild)], CHANGE),
      'discharges.delete': (store) => store.discharges.delete(guild, 'D', CHANGE),
      'transfers.delete': (store) => store.transfers.delete(guild, 'T', CHANGE),
      'discharges.read': (store) => firstOf(store.discharges.read(guild)),
      'transfers.read': (store) => firstOf(store.transfers.read(undefined)),
      'verifications.delete': (store) => store.verifications.delete('1', CHANGE),
      'verifications.read': (store) => firstOf(store.verifications.read()),
      'verifications.find': async (store) => store.verifications.find(['chat'], '1'),
      'verifications.put': (store) => store.verifications.put([aVerification()], CHANGE),
      'commands.list': (store) => store.commands.list(),
      'commands.replace': (store) => store.commands.replace([aCommand()], CHANGE),
      'ledger.append': (store) => store.ledger.append(aTransaction(guild)),
      'ledger.import': (store) => store.ledger.import(guild, [aPastTransaction(guild)]),
      'ledger.read': (store) => firstOf(store.ledger.read(guild)),
      'audit.list': (store) => store.audit.list(guild, { limit: 1 }),
      'audit.listForExport': (store) => store.audit.listForExport(guild, { limit: 1 }),
      allOrNothing: (store) => store.allOrNothing(async () => 'done'),
      'ledger.list': async (store) => store.ledger.list(guild, 'p', aQuery()),
    };

    it('lets writes under way finish', async () => {
      const { store, openAnother, guild: opened } = await openWithGuild(createPlace);
      const posts = Array.from({ length: 20 }, () => store.ledger.append(aTransaction(opened)));
      await store.close();
      const outcomes = await Promise.all(posts);
      expect(outcomes.map((outcome) => outcome.balanceUnits)).toEqual(
        outcomes.map((_, index) => (index + 1) * 10_000),
      );
      const reopened = await openAnother();
      expect((await reopened.ledger.list(opened, '48213977', aQuery())).total).toBe(20);
    });

    it('makes every later call reject with store_unavailable', async () => {
      const { store } = await openPlace(createPlace);
      await store.close();
      const answers = Object.entries(calls).map(
        async ([name, call]) => `${name}: ${await answerOf(call(store))}`,
      );
      const expected = Object.keys(calls).map((name) => `${name}: store_unavailable`);
      expect(await Promise.all(answers)).toEqual(expected);
    });

    it('leaves no call of its last moments without an answer', async () => {
      const { store } = await openPlace(createPlace);
      const closing = store.close();
      const answers: Promise<string>[] = [];
      for (let turn = 0; turn < 20; turn += 1) {
        answers.push(
          answerOf(store.guilds.set(aGuild({ guildId: `g${turn}` }), CHANGE)),
          answerOf(store.check()),
        );
        await Promise.resolve();
      }
      await closing;
      for (const answer of await Promise.all(answers)) {
        expect(['answered', 'store_unavailable']).toContain(answer);
      }
    });

    it('twice is closing once', async () => {
      const { store } = await openPlace(createPlace);
      const both = [store.close(), store.close()];
      expect(await Promise.all(both.map(answerOf))).toEqual(['answered', 'answered']);
      expect(await answerOf(store.close())).toBe('answered');
    });

    it('and opening again shows everything', async () => {
      const { store, openAnother, guild: opened } = await openWithGuild(createPlace);
      await fill(store, opened);
      const before = await snapshot(store, opened);
      await store.close();
      const reopened = await openAnother();
      expect(await snapshot(reopened, opened)).toEqual(before);
      const idempotency = { key: 'k', requestHash: 'h' };
      const repeat = await reopened.ledger.append(aTransaction(opened, { idempotency }));
      expect(repeat.replayed).toBe(true);
      const next = await reopened.ledger.append(aTransaction(opened));
      expect(next.balanceUnits).toBe(20_000);
    });
  });

  it('an open store answers its check', async () => {
    const { store } = await openPlace(createPlace);
    await expect(store.check()).resolves.toBeUndefined();
  });
}

/** Begins a reading; what it would give does not matter. */
function firstOf(items: AsyncIterable<unknown>): Promise<unknown> {
  return items[Symbol.asyncIterator]().next();
}

/** Long, because a busy machine may take its time to answer. Only a call that never answers takes all of it. */
const HANG_MS = 30_000;

/** The outcome of a call: `answered`, the code of its refusal, or `no answer`. */
function answerOf(call: Promise<unknown>): Promise<string> {
  const settled = call.then(
    () => 'answered',
    (error) => (error.name === 'DomainError' ? String(error.code) : String(error)),
  );
  const hanging = new Promise<string>((resolve) => setTimeout(resolve, HANG_MS, 'no answer').unref());
  return Promise.race([settled, hanging]);
}
