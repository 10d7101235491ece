import { describe, expect, it } from 'vitest';
import type { Discharge, Transfer } from '../../src/domain/model.ts';
import { aDischarge, aTransfer, domainError, LOOKALIKES } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

export function describeRecordStore(createPlace: CreatePlace): void {
  describe('records', () => {
    const open = shareByGuild(createPlace);

    async function openWithTwoGuilds() {
      const { store, guild, foundAnother } = await open();
      return { store, guild, other: await foundAnother() };
    }

    it('records that were put are found with everything they were given', async () => {
      const { store, guild } = await openWithTwoGuilds();
      await store.records.putDischarges(guild, [aDischarge(guild), aDischarge(guild, { id: 'D-2' })]);
      await store.records.putTransfers(guild, [aTransfer(guild), aTransfer(guild, { id: 'T-2' })]);
      expect(await store.records.findDischarge(guild, 'D-1')).toEqual(aDischarge(guild));
      expect(await store.records.findDischarge(guild, 'D-2')).toEqual(aDischarge(guild, { id: 'D-2' }));
      expect(await store.records.findTransfer(guild, 'T-1')).toEqual(aTransfer(guild));
      expect(await store.records.findTransfer(guild, 'T-2')).toEqual(aTransfer(guild, { id: 'T-2' }));
    });

    it('records that were never put are not found, and the kinds are apart', async () => {
      const { store, guild } = await openWithTwoGuilds();
      await store.records.putDischarges(guild, [aDischarge(guild, { id: 'D' })]);
      await store.records.putTransfers(guild, [aTransfer(guild, { id: 'T' })]);
      expect(await store.records.findDischarge(guild, 'T')).toBeUndefined();
      expect(await store.records.findTransfer(guild, 'D')).toBeUndefined();
    });

    it('a guild’s records do not show through another guild', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      await store.records.putDischarges(guild, [aDischarge(guild)]);
      await store.records.putTransfers(guild, [aTransfer(guild)]);
      expect(await store.records.findDischarge(other, 'D-1')).toBeUndefined();
      expect(await store.records.findTransfer(other, 'T-1')).toBeUndefined();
    });

    it('two guilds may use one id, and each keeps and replaces its own record', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      await store.records.putDischarges(guild, [aDischarge(guild)]);
      await store.records.putDischarges(other, [aDischarge(other, { name: 'Elsewhere' })]);
      await store.records.putDischarges(other, [aDischarge(other, { name: 'Replaced' })]);
      await store.records.putTransfers(guild, [aTransfer(guild)]);
      await store.records.putTransfers(other, [aTransfer(other, { name: 'Elsewhere' })]);
      expect(await store.records.findDischarge(guild, 'D-1')).toEqual(aDischarge(guild));
      expect(await store.records.findTransfer(guild, 'T-1')).toEqual(aTransfer(guild));
      const theirs = await store.records.findDischarge(other, 'D-1');
      expect(theirs).toEqual(aDischarge(other, { name: 'Replaced' }));
    });

    it('putting a record again replaces every field, and within one call the last one stands', async () => {
      const { store, guild } = await openWithTwoGuilds();
      const discharge: Discharge = {
        id: 'D-1',
        guildId: guild.guildId,
        chatId: 'c',
        playerId: 'p',
        name: 'n',
        reason: 'r',
        date: '2025-12-31T23:59:59+02:00',
        type: 't',
        from: 'f',
        signed: 's',
      };
      const transfer: Transfer = {
        id: 'T-1',
        guildId: guild.guildId,
        playerId: 'p',
        name: 'n',
        date: '1999-12-31T23:59:59.999Z',
        from: 'f',
        to: 'o',
        signed: 's',
      };
      await store.records.putDischarges(guild, [aDischarge(guild)]);
      await store.records.putDischarges(guild, [aDischarge(guild, { name: 'between' }), discharge]);
      await store.records.putTransfers(guild, [aTransfer(guild)]);
      await store.records.putTransfers(guild, [aTransfer(guild, { name: 'between' }), transfer]);
      expect(await store.records.findDischarge(guild, 'D-1')).toEqual(discharge);
      expect(await store.records.findTransfer(guild, 'T-1')).toEqual(transfer);
    });

    it.each(['2026-03-04', '2026-03-04T05:06:07Z', '2026-03-04T05:06:07.089+05:30'])(
      'a discharge’s date stays as it was written: %s',
      async (date) => {
        const { store, guild } = await openWithTwoGuilds();
        await store.records.putDischarges(guild, [aDischarge(guild, { date })]);
        expect((await store.records.findDischarge(guild, 'D-1'))?.date).toBe(date);
      },
    );

    it.each(['1969-12-31T23:59:59.999Z', '2026-03-04T05:06:07.000Z', '2400-02-29T00:00:00.001Z'])(
      'a transfer’s date comes back to the millisecond: %s',
      async (date) => {
        const { store, guild } = await openWithTwoGuilds();
        await store.records.putTransfers(guild, [aTransfer(guild, { date })]);
        expect((await store.records.findTransfer(guild, 'T-1'))?.date).toBe(date);
      },
    );

    it('text is kept as it is: empty, with line breaks, in any script, with leading and trailing spaces', async () => {
      const { store, guild } = await openWithTwoGuilds();
      const texts = { reason: '', name: ' Zoë 🛡 \r\n', type: 'e\u0301', from: '"\'--;', signed: '한국어 ' };
      await store.records.putDischarges(guild, [aDischarge(guild, texts)]);
      expect(await store.records.findDischarge(guild, 'D-1')).toEqual(aDischarge(guild, texts));
    });

    it('ids that only look alike are different records', async () => {
      const { store, guild } = await openWithTwoGuilds();
      for (const [one, other] of LOOKALIKES) {
        await store.records.putDischarges(guild, [aDischarge(guild, { id: one })]);
        await store.records.putTransfers(guild, [aTransfer(guild, { id: one })]);
        const foundDischarge = await store.records.findDischarge(guild, other);
        const foundTransfer = await store.records.findTransfer(guild, other);
        expect([foundDischarge, foundTransfer], `${one} and ${other}`).toEqual([undefined, undefined]);
        await store.records.putDischarges(guild, [aDischarge(guild, { id: other })]);
        await store.records.putTransfers(guild, [aTransfer(guild, { id: other })]);
      }
    });

    // A type-correct caller cannot make a store fail half-way, so the record is spoilt behind the compiler's back.
    const broken = { name: null as unknown as string };

    it('a put that fails half-way leaves nothing behind and does not fail its neighbours', async () => {
      const { store, guild } = await openWithTwoGuilds();
      const results = await Promise.allSettled([
        store.records.putDischarges(guild, [aDischarge(guild, { id: 'before' })]),
        store.records.putDischarges(guild, [
          aDischarge(guild, { id: 'half' }),
          aDischarge(guild, { id: 'bad', ...broken }),
        ]),
        store.records.putTransfers(guild, [
          aTransfer(guild, { id: 'half' }),
          aTransfer(guild, { id: 'bad', ...broken }),
        ]),
        store.records.putTransfers(guild, [aTransfer(guild, { id: 'after' })]),
      ]);
      expect(results.map((result) => result.status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(results[1]).toMatchObject({ reason: domainError('internal') });
      expect(await store.records.findDischarge(guild, 'half')).toBeUndefined();
      expect(await store.records.findTransfer(guild, 'half')).toBeUndefined();
      expect((await store.records.findDischarge(guild, 'before'))?.id).toBe('before');
      expect((await store.records.findTransfer(guild, 'after'))?.id).toBe('after');
    });
  });
}
