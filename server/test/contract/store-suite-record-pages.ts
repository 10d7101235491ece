import { describe, expect, it } from 'vitest';
import { recordTag } from '../../src/domain/records/record-tag.ts';
import { aDischarge, aRecordQuery, aTransfer, CHANGE } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

export function describeRecordPages(createPlace: CreatePlace): void {
  describe('pages of records', () => {
    const open = shareByGuild(createPlace);

    it('records are counted by date, the first moment included and the last one not', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const dates = [
        '2026-02-28T23:59:59.999Z',
        '2026-03-01',
        '2026-03-01T00:00:00Z',
        '2026-03-31T23:59:59.999Z',
        '2026-04-01T01:00:00+02:00',
        '2026-04-01',
        '1969-12-31',
      ];
      for (const owner of [guild, other]) {
        const discharges = dates.map((date, index) => aDischarge(owner, { id: `D-${index}`, date }));
        const transfers = dates.map((date, index) =>
          aTransfer(owner, { id: `T-${index}`, date: new Date(date).toISOString() }),
        );
        await store.discharges.put(owner, owner === guild ? discharges : discharges.slice(1, 3), CHANGE);
        await store.transfers.put(owner, owner === guild ? transfers : transfers.slice(1, 3), CHANGE);
      }
      const march = { sinceMs: Date.parse('2026-03-01'), untilMs: Date.parse('2026-04-01') };
      expect(await store.discharges.count(guild, march)).toBe(4);
      expect(await store.transfers.count(guild, march)).toBe(4);
      expect(await store.discharges.count(other, march)).toBe(2);
      expect(await store.transfers.count(other, march)).toBe(2);
      const before = { sinceMs: Number.MIN_SAFE_INTEGER, untilMs: 0 };
      expect(await store.discharges.count(guild, before)).toBe(1);
      expect(await store.transfers.count(guild, before)).toBe(1);
      expect(await store.transfers.count(guild, { sinceMs: 0, untilMs: 0 })).toBe(0);
    });

    it('a changed date counts where it is now, and a deleted record nowhere', async () => {
      const { store, guild } = await open();
      const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
      const march = { sinceMs: Date.parse('2026-03-01'), untilMs: Date.parse('2026-04-01') };
      await store.discharges.put(guild, [aDischarge(guild, { date: '2026-03-04' })], CHANGE);
      await store.discharges.put(guild, [aDischarge(guild, { date: '2026-05-04' })], CHANGE);
      expect(await store.discharges.count(guild, march)).toBe(0);
      expect(await store.discharges.count(guild, all)).toBe(1);
      await store.discharges.delete(guild, 'D-1', CHANGE);
      expect(await store.discharges.count(guild, all)).toBe(0);
    });

    it('the kinds of discharge are listed once each, in order of their code points, up to the limit', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      expect(await store.discharges.types(guild, 50)).toEqual([]);
      const types = ['b', 'B', '', 'é', '🛡', '\uff11', 'b', 'a b', 'e\u0301', 'B'];
      const discharges = types.map((type, index) => aDischarge(guild, { id: `D-${index}`, type }));
      await store.discharges.put(guild, discharges, CHANGE);
      await store.discharges.put(other, [aDischarge(other, { type: 'theirs' })], CHANGE);
      const expected = ['', 'B', 'a b', 'b', 'e\u0301', 'é', '\uff11', '🛡'];
      expect(await store.discharges.types(guild, 50)).toEqual(expected);
      expect(await store.discharges.types(guild, 3)).toEqual(expected.slice(0, 3));
    });

    it('records are counted for each player, in the order asked, and of this guild alone', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const players = ['a', 'A', 'a', 'b'];
      const discharges = players.map((playerId, index) => aDischarge(guild, { id: `${index}`, playerId }));
      await store.discharges.put(guild, discharges, CHANGE);
      await store.transfers.put(guild, [aTransfer(guild, { playerId: 'b' })], CHANGE);
      await store.transfers.put(other, [aTransfer(other, { playerId: 'a' })], CHANGE);
      const asked = ['b', 'nobody', 'a', 'A'];
      expect(await store.discharges.countByPlayer(guild, asked)).toEqual([1, 0, 2, 1]);
      expect(await store.transfers.countByPlayer(guild, asked)).toEqual([1, 0, 0, 0]);
      expect(await store.discharges.countByPlayer(guild, [])).toEqual([]);
    });

    it('a search that ends within a word finds a sigma as one in the middle, and the other way round', async () => {
      const { store, guild } = await open();
      const names = ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς', 'ΟΔΥΣ'];
      const transfers = names.map((name, index) => aTransfer(guild, { id: `${index}`, name }));
      await store.transfers.put(guild, transfers, CHANGE);
      for (const search of ['ΟΔΥΣ', 'οδυς', 'οδυσ', 'Οδυσ']) {
        expect((await store.transfers.list(guild, aRecordQuery({ search }))).total).toBe(3);
      }
    });

    it('a reading of what matches shows the moment it began', async () => {
      const { store, guild } = await open();
      const ids = Array.from({ length: 5 }, (_, index) => `D-${index}`);
      await store.discharges.put(
        guild,
        ids.map((id) => aDischarge(guild, { id })),
        CHANGE,
      );
      const seen: string[] = [];
      for await (const { id } of store.discharges.readMatching(guild, aRecordQuery({ sortOrder: 'desc' }))) {
        seen.push(id);
        await store.discharges.delete(guild, 'D-0', CHANGE);
      }
      expect(seen).toEqual(ids.toReversed());
    });
  });

  describe('records made or replaced one by one', () => {
    const open = shareByGuild(createPlace);

    it('one is made only where none of its id is, and the one that is there stays as it is', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const { discharges, transfers } = store;
      expect(await discharges.create(guild, aDischarge(guild), CHANGE)).toBe(true);
      expect(await discharges.create(guild, aDischarge(guild, { name: 'Other' }), CHANGE)).toBe(false);
      expect(await discharges.create(guild, aDischarge(guild), CHANGE)).toBe(false);
      expect(await discharges.create(other, aDischarge(other, { name: 'Theirs' }), CHANGE)).toBe(true);
      expect(await discharges.find(guild, 'D-1')).toEqual(aDischarge(guild));
      expect(await transfers.create(guild, aTransfer(guild), CHANGE)).toBe(true);
      expect(await transfers.create(guild, aTransfer(guild, { to: 'Other' }), CHANGE)).toBe(false);
      expect(await transfers.find(guild, 'T-1')).toEqual(aTransfer(guild));
      const log = await store.audit.list(guild, { limit: 10 });
      expect(log.map(({ action, subjectKind }) => `${action} ${subjectKind}`)).toEqual([
        'create transfer',
        'create discharge',
        'create guild',
      ]);
    });

    it('one is replaced only where it is, and none is made', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const { discharges, transfers } = store;
      await discharges.create(other, aDischarge(other), CHANGE);
      await transfers.create(other, aTransfer(other), CHANGE);
      expect(await discharges.replace(guild, aDischarge(guild), CHANGE)).toBe(false);
      expect(await transfers.replace(guild, aTransfer(guild), CHANGE)).toBe(false);
      expect(await discharges.find(guild, 'D-1')).toBeUndefined();
      expect(await transfers.find(guild, 'T-1')).toBeUndefined();
      expect(await store.audit.list(guild, { limit: 10 })).toHaveLength(1);
      await discharges.create(guild, aDischarge(guild), CHANGE);
      await transfers.create(guild, aTransfer(guild), CHANGE);
      const discharge = aDischarge(guild, { name: 'New', date: '2020-01-01', reason: '' });
      const transfer = aTransfer(guild, { name: 'New', date: '2020-01-01T00:00:00.000Z' });
      expect(await discharges.replace(guild, discharge, CHANGE)).toBe(true);
      expect(await transfers.replace(guild, transfer, CHANGE)).toBe(true);
      expect(await transfers.replace(guild, transfer, CHANGE)).toBe(true);
      expect(await discharges.find(guild, 'D-1')).toEqual(discharge);
      expect(await transfers.find(guild, 'T-1')).toEqual(transfer);
      const [entry] = await store.audit.list(guild, { limit: 1, subjectKind: 'discharge' });
      expect(entry).toMatchObject({
        action: 'update',
        detail: { after: { name: 'New', date: '2020-01-01' } },
      });
      expect(await store.audit.list(guild, { limit: 10 })).toHaveLength(5);
      expect(await discharges.find(other, 'D-1')).toEqual(aDischarge(other));
    });

    it('one is replaced only while it is the version that is meant', async () => {
      const { store, guild } = await open();
      const { discharges, transfers } = store;
      const [discharge, transfer] = [aDischarge(guild), aTransfer(guild)];
      const [first, second] = [recordTag('discharge', discharge), recordTag('transfer', transfer)];
      expect(await discharges.replace(guild, discharge, CHANGE, [first])).toBe(false);
      await discharges.create(guild, discharge, CHANGE);
      await transfers.create(guild, transfer, CHANGE);
      const mine = aDischarge(guild, { name: 'Mine' });
      expect(await discharges.replace(guild, mine, CHANGE, [first])).toBe(true);
      expect(await transfers.replace(guild, aTransfer(guild, { name: 'Mine' }), CHANGE, [second])).toBe(true);
      const changed = { code: 'record_changed' };
      const theirs = { name: 'Theirs' };
      const late = discharges.replace(guild, aDischarge(guild, theirs), CHANGE, [first]);
      await expect(late).rejects.toMatchObject(changed);
      const lateToo = transfers.replace(guild, aTransfer(guild, theirs), CHANGE, [second]);
      await expect(lateToo).rejects.toMatchObject(changed);
      expect(await discharges.find(guild, 'D-1')).toEqual(mine);
      expect((await transfers.find(guild, 'T-1'))?.name).toBe('Mine');
      expect(await store.audit.list(guild, { limit: 10 })).toHaveLength(5);
    });

    it('of many who make one of the same id at once, one does, also through two stores', async () => {
      const { store, guild, openAnother } = await open();
      const another = await openAnother();
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? store : another).discharges.create(
            guild,
            aDischarge(guild, { name: `Name ${index}` }),
            CHANGE,
          ),
        ),
      );
      expect(made.filter(Boolean)).toHaveLength(1);
      expect((await store.discharges.find(guild, 'D-1'))?.name).toBe(`Name ${made.indexOf(true)}`);
    });
  });
}
