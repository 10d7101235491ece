import { describe, expect, it } from 'vitest';
import { aDischarge, aTransfer, CHANGE } from './specimens.ts';
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
        await store.records.putDischarges(
          owner,
          owner === guild ? discharges : discharges.slice(1, 3),
          CHANGE,
        );
        await store.records.putTransfers(owner, owner === guild ? transfers : transfers.slice(1, 3), CHANGE);
      }
      const march = { sinceMs: Date.parse('2026-03-01'), untilMs: Date.parse('2026-04-01') };
      expect(await store.records.countDischarges(guild, march)).toBe(4);
      expect(await store.records.countTransfers(guild, march)).toBe(4);
      expect(await store.records.countDischarges(other, march)).toBe(2);
      expect(await store.records.countTransfers(other, march)).toBe(2);
      const before = { sinceMs: Number.MIN_SAFE_INTEGER, untilMs: 0 };
      expect(await store.records.countDischarges(guild, before)).toBe(1);
      expect(await store.records.countTransfers(guild, before)).toBe(1);
      expect(await store.records.countTransfers(guild, { sinceMs: 0, untilMs: 0 })).toBe(0);
    });

    it('a changed date counts where it is now, and a deleted record nowhere', async () => {
      const { store, guild } = await open();
      const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
      const march = { sinceMs: Date.parse('2026-03-01'), untilMs: Date.parse('2026-04-01') };
      await store.records.putDischarges(guild, [aDischarge(guild, { date: '2026-03-04' })], CHANGE);
      await store.records.putDischarges(guild, [aDischarge(guild, { date: '2026-05-04' })], CHANGE);
      expect(await store.records.countDischarges(guild, march)).toBe(0);
      expect(await store.records.countDischarges(guild, all)).toBe(1);
      await store.records.deleteDischarge(guild, 'D-1', CHANGE);
      expect(await store.records.countDischarges(guild, all)).toBe(0);
    });
  });
}
