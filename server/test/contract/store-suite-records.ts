import { describe, expect, it } from 'vitest';
import type { Discharge, Transfer } from '../../src/domain/model.ts';
import { aDischarge, aTransfer, CHANGE, domainError, LOOKALIKES } from './specimens.ts';
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
      await store.discharges.put(guild, [aDischarge(guild), aDischarge(guild, { id: 'D-2' })], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild), aTransfer(guild, { id: 'T-2' })], CHANGE);
      expect(await store.discharges.find(guild, 'D-1')).toEqual(aDischarge(guild));
      expect(await store.discharges.find(guild, 'D-2')).toEqual(aDischarge(guild, { id: 'D-2' }));
      expect(await store.transfers.find(guild, 'T-1')).toEqual(aTransfer(guild));
      expect(await store.transfers.find(guild, 'T-2')).toEqual(aTransfer(guild, { id: 'T-2' }));
    });

    it('records that were never put are not found, and the kinds are apart', async () => {
      const { store, guild } = await openWithTwoGuilds();
      await store.discharges.put(guild, [aDischarge(guild, { id: 'D' })], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild, { id: 'T' })], CHANGE);
      expect(await store.discharges.find(guild, 'T')).toBeUndefined();
      expect(await store.transfers.find(guild, 'D')).toBeUndefined();
    });

    it('several are found by their ids, those of this guild alone', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      await store.discharges.put(guild, [aDischarge(guild), aDischarge(guild, { id: 'D-2' })], CHANGE);
      await store.discharges.put(other, [aDischarge(other, { id: 'D-3' })], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
      const found = await store.discharges.findMany(guild, ['D-3', 'D-2', 'D-1', 'T-1', 'd-1']);
      expect(found.sort((one, two) => (one.id < two.id ? -1 : 1))).toEqual([
        aDischarge(guild),
        aDischarge(guild, { id: 'D-2' }),
      ]);
      expect(await store.transfers.findMany(guild, ['T-1', 'D-1'])).toEqual([aTransfer(guild)]);
      expect(await store.transfers.findMany(guild, [])).toEqual([]);
    });

    it('a guild’s records do not show through another guild', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
      expect(await store.discharges.find(other, 'D-1')).toBeUndefined();
      expect(await store.transfers.find(other, 'T-1')).toBeUndefined();
    });

    it('two guilds may use one id, and each keeps and replaces its own record', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      await store.discharges.put(other, [aDischarge(other, { name: 'Elsewhere' })], CHANGE);
      await store.discharges.put(other, [aDischarge(other, { name: 'Replaced' })], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
      await store.transfers.put(other, [aTransfer(other, { name: 'Elsewhere' })], CHANGE);
      expect(await store.discharges.find(guild, 'D-1')).toEqual(aDischarge(guild));
      expect(await store.transfers.find(guild, 'T-1')).toEqual(aTransfer(guild));
      const theirs = await store.discharges.find(other, 'D-1');
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
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      await store.discharges.put(guild, [aDischarge(guild, { name: 'between' }), discharge], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
      await store.transfers.put(guild, [aTransfer(guild, { name: 'between' }), transfer], CHANGE);
      expect(await store.discharges.find(guild, 'D-1')).toEqual(discharge);
      expect(await store.transfers.find(guild, 'T-1')).toEqual(transfer);
    });

    it.each(['2026-03-04', '2026-03-04T05:06:07Z', '2026-03-04T05:06:07.089+05:30'])(
      'a discharge’s date stays as it was written: %s',
      async (date) => {
        const { store, guild } = await openWithTwoGuilds();
        await store.discharges.put(guild, [aDischarge(guild, { date })], CHANGE);
        expect((await store.discharges.find(guild, 'D-1'))?.date).toBe(date);
      },
    );

    it.each(['1969-12-31T23:59:59.999Z', '2026-03-04T05:06:07.000Z', '2400-02-29T00:00:00.001Z'])(
      'a transfer’s date comes back to the millisecond: %s',
      async (date) => {
        const { store, guild } = await openWithTwoGuilds();
        await store.transfers.put(guild, [aTransfer(guild, { date })], CHANGE);
        expect((await store.transfers.find(guild, 'T-1'))?.date).toBe(date);
      },
    );

    it('text is kept as it is: empty, with line breaks, in any script, with leading and trailing spaces', async () => {
      const { store, guild } = await openWithTwoGuilds();
      const texts = { reason: '', name: ' Zoë 🛡 \r\n', type: 'e\u0301', from: '"\'--;', signed: '한국어 ' };
      await store.discharges.put(guild, [aDischarge(guild, texts)], CHANGE);
      expect(await store.discharges.find(guild, 'D-1')).toEqual(aDischarge(guild, texts));
    });

    it('ids that only look alike are different records', async () => {
      const { store, guild } = await openWithTwoGuilds();
      for (const [one, other] of LOOKALIKES) {
        await store.discharges.put(guild, [aDischarge(guild, { id: one })], CHANGE);
        await store.transfers.put(guild, [aTransfer(guild, { id: one })], CHANGE);
        const foundDischarge = await store.discharges.find(guild, other);
        const foundTransfer = await store.transfers.find(guild, other);
        expect([foundDischarge, foundTransfer], `${one} and ${other}`).toEqual([undefined, undefined]);
        await store.discharges.put(guild, [aDischarge(guild, { id: other })], CHANGE);
        await store.transfers.put(guild, [aTransfer(guild, { id: other })], CHANGE);
      }
    });

    it('a put tells of each record whether it was created, updated or left as it was', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      const discharge = (id: string, name: string) => aDischarge(guild, { id, name });
      const transfer = (id: string, name: string) => aTransfer(guild, { id, name });
      await store.discharges.put(other, [aDischarge(other, { id: 'a' })], CHANGE);
      const steps = [
        { put: ['a 1', 'b 1'], expected: ['created', 'created'] },
        { put: ['b 1', 'a 2', 'c 1'], expected: ['unchanged', 'updated', 'created'] },
        { put: ['a 2', 'a 1', 'a 1', 'a 2'], expected: ['unchanged', 'updated', 'unchanged', 'updated'] },
        { put: [], expected: [] },
      ];
      for (const { put, expected } of steps) {
        const given = put.map((text) => [text.slice(0, 1), text] as const);
        const discharges = given.map(([id, name]) => discharge(id, name));
        const transfers = given.map(([id, name]) => transfer(id, name));
        expect(await store.discharges.put(guild, discharges, CHANGE)).toEqual(expected);
        expect(await store.transfers.put(guild, transfers, CHANGE)).toEqual(expected);
      }
    });

    it('adding many creates those whose ids are free, once, and leaves the others as they are', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
      await store.discharges.put(other, [aDischarge(other, { id: 'D-2' })], CHANGE);
      const items = [
        aDischarge(guild, { name: 'Changed' }),
        aDischarge(guild, { id: 'D-2', name: 'New' }),
        aDischarge(guild, { id: 'D-2', name: 'Again' }),
      ];
      expect(await store.discharges.addFree(guild, items, CHANGE)).toEqual(['exists', 'created', 'exists']);
      expect(await store.discharges.find(guild, 'D-1')).toEqual(aDischarge(guild));
      expect(await store.discharges.find(guild, 'D-2')).toEqual(
        aDischarge(guild, { id: 'D-2', name: 'New' }),
      );
      const log = await store.audit.list(guild, { limit: 10, subjectKind: 'discharge' });
      expect(log.map(({ subjectId, action }) => [subjectId, action])).toEqual([
        ['D-2', 'create'],
        ['D-1', 'create'],
      ]);
      expect(await store.transfers.addFree(guild, [aTransfer(guild)], CHANGE)).toEqual(['created']);
    });

    it('fields that a record does not have make no difference', async () => {
      const { store, guild } = await openWithTwoGuilds();
      const discharge = { ...aDischarge(guild), note: 'kept nowhere' };
      const transfer = { ...aTransfer(guild), note: 'kept nowhere' };
      expect(await store.discharges.put(guild, [discharge], CHANGE)).toEqual(['created']);
      expect(await store.discharges.put(guild, [discharge], CHANGE)).toEqual(['unchanged']);
      expect(await store.transfers.put(guild, [transfer], CHANGE)).toEqual(['created']);
      expect(await store.transfers.put(guild, [transfer], CHANGE)).toEqual(['unchanged']);
      const log = JSON.stringify(await store.audit.list(guild, { limit: 10 }));
      expect(log).not.toContain('kept nowhere');
    });

    it('a deleted record is gone, once, and in its own guild and kind only', async () => {
      const { store, guild, other } = await openWithTwoGuilds();
      const ids = ['x', 'y'];
      for (const one of [guild, other]) {
        const discharges = ids.map((id) => aDischarge(one, { id }));
        const transfers = ids.map((id) => aTransfer(one, { id }));
        await store.discharges.put(one, discharges, CHANGE);
        await store.transfers.put(one, transfers, CHANGE);
      }
      expect(await store.discharges.delete(guild, 'x', CHANGE)).toBe(true);
      expect(await store.discharges.delete(guild, 'x', CHANGE)).toBe(false);
      expect(await store.transfers.delete(guild, 'y', CHANGE)).toBe(true);
      expect(await store.transfers.delete(guild, 'y', CHANGE)).toBe(false);
      expect(await store.transfers.delete(guild, 'nothing', CHANGE)).toBe(false);
      const left = async (one: typeof guild) => ({
        discharges: await Promise.all(ids.map((id) => store.discharges.find(one, id))),
        transfers: await Promise.all(ids.map((id) => store.transfers.find(one, id))),
      });
      expect(await left(guild)).toEqual({
        discharges: [undefined, aDischarge(guild, { id: 'y' })],
        transfers: [aTransfer(guild, { id: 'x' }), undefined],
      });
      expect(await left(other)).toEqual({
        discharges: ids.map((id) => aDischarge(other, { id })),
        transfers: ids.map((id) => aTransfer(other, { id })),
      });
      expect(await store.discharges.put(guild, [aDischarge(guild, { id: 'x' })], CHANGE)).toEqual([
        'created',
      ]);
    });

    // A type-correct caller cannot make a store fail half-way, so the record is spoilt behind the compiler's back.
    const broken = { name: null as unknown as string };

    it('a put that fails half-way leaves nothing behind and does not fail its neighbours', async () => {
      const { store, guild } = await openWithTwoGuilds();
      const results = await Promise.allSettled([
        store.discharges.put(guild, [aDischarge(guild, { id: 'before' })], CHANGE),
        store.discharges.put(
          guild,
          [aDischarge(guild, { id: 'half' }), aDischarge(guild, { id: 'bad', ...broken })],
          CHANGE,
        ),
        store.transfers.put(
          guild,
          [aTransfer(guild, { id: 'half' }), aTransfer(guild, { id: 'bad', ...broken })],
          CHANGE,
        ),
        store.transfers.put(guild, [aTransfer(guild, { id: 'after' })], CHANGE),
      ]);
      expect(results.map((result) => result.status)).toEqual([
        'fulfilled',
        'rejected',
        'rejected',
        'fulfilled',
      ]);
      expect(results[1]).toMatchObject({ reason: domainError('internal') });
      expect(await store.discharges.find(guild, 'half')).toBeUndefined();
      expect(await store.transfers.find(guild, 'half')).toBeUndefined();
      expect((await store.discharges.find(guild, 'before'))?.id).toBe('before');
      expect((await store.transfers.find(guild, 'after'))?.id).toBe('after');
    });
  });
}
