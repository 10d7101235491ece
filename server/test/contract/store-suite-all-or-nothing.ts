import { describe, expect, it } from 'vitest';
import type { GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aDischarge, aQuery, aTransaction, CHANGE, domainError } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

const PLAYER = '48213977';
// A type-correct caller cannot make a store fail half-way, so the record is spoilt behind the compiler's back.
const BROKEN = { name: null as unknown as string };

const put = (store: Store, guild: GuildRef, ...ids: string[]) =>
  store.discharges.put(
    guild,
    ids.map((id) => aDischarge(guild, { id, ...(id === 'bad' ? BROKEN : {}) })),
    CHANGE,
  );

async function idsOf(store: Store, guild: GuildRef): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of store.discharges.read(guild)) {
    ids.push(id);
  }
  return ids;
}

async function loggedIds(store: Store, guild: GuildRef): Promise<string[]> {
  const entries = await store.audit.list(guild, { limit: 1_000 });
  return entries.filter(({ subjectKind }) => subjectKind === 'discharge').map(({ subjectId }) => subjectId);
}

export function describeAllOrNothing(createPlace: CreatePlace): void {
  describe('all or nothing', () => {
    const open = shareByGuild(createPlace);

    it('commits all writes of the work together when it resolves, and gives its result', async () => {
      const { store, guild, openAnother } = await open();
      const other = await openAnother();
      let seenMeanwhile: string[] | undefined;
      const result = await store.allOrNothing(async () => {
        expect(await put(store, guild, 'a', 'b')).toEqual(['created', 'created']);
        await Promise.all([put(store, guild, 'c'), store.ledger.append(aTransaction(guild))]);
        expect(await put(store, guild, 'a'), 'the work builds on what it wrote').toEqual(['unchanged']);
        seenMeanwhile = await idsOf(other, guild);
        return 'the result';
      });
      expect(result).toBe('the result');
      expect(seenMeanwhile).toEqual([]);
      expect(await idsOf(other, guild)).toEqual(['a', 'b', 'c']);
      expect((await other.ledger.list(guild, PLAYER, aQuery())).total).toBe(1);
    });

    it('commits what the work gave without waiting for it', async () => {
      const { store, guild } = await open();
      await store.allOrNothing(async () => {
        void put(store, guild, 'a');
        void put(store, guild, 'b');
      });
      expect(await idsOf(store, guild)).toEqual(['a', 'b']);
    });

    it('undoes all writes when the work rejects, and rejects with its reason', async () => {
      const { store, guild, openAnother } = await open();
      await put(store, guild, 'before');
      const reason = new Error('changed my mind');
      const working = store.allOrNothing(async () => {
        await put(store, guild, 'a', 'b');
        await store.discharges.delete(guild, 'before', CHANGE);
        await store.ledger.append(aTransaction(guild));
        throw reason;
      });
      await expect(working).rejects.toBe(reason);
      expect(await idsOf(store, guild)).toEqual(['before']);
      expect(await loggedIds(store, guild)).toEqual(['before']);
      expect((await store.ledger.list(guild, PLAYER, aQuery())).total).toBe(0);
      await put(await openAnother(), guild, 'somebody else');
    });

    it('undoes all writes when one of them fails and the work lets that through', async () => {
      const { store, guild } = await open();
      const working = store.allOrNothing(async () => {
        await put(store, guild, 'a');
        await put(store, guild, 'half', 'bad');
      });
      await expect(working).rejects.toMatchObject(domainError('internal'));
      expect(await idsOf(store, guild)).toEqual([]);
      expect(await loggedIds(store, guild)).toEqual([]);
    });

    it('a write that fails leaves nothing of itself behind, even where the work goes on', async () => {
      const { store, guild } = await open();
      await store.allOrNothing(async () => {
        await put(store, guild, 'a');
        const results = await Promise.allSettled([
          put(store, guild, 'b'),
          put(store, guild, 'half', 'bad'),
          put(store, guild, 'c'),
        ]);
        expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        await put(store, guild, 'd');
      });
      expect(await idsOf(store, guild)).toEqual(['a', 'b', 'c', 'd']);
      expect((await loggedIds(store, guild)).reverse()).toEqual(['a', 'b', 'c', 'd']);
    });

    it('a refused write fails alone', async () => {
      const { store, guild } = await open();
      await store.allOrNothing(async () => {
        await put(store, guild, 'a');
        const refused = store.commands.replace([], CHANGE, 'no such tag');
        await expect(refused).rejects.toMatchObject(domainError('commands_changed'));
        await put(store, guild, 'b');
      });
      expect(await idsOf(store, guild)).toEqual(['a', 'b']);
    });

    it('leaves the store usable, whatever became of the work, for single writes and for the next work', async () => {
      const { store, guild } = await open();
      await store.allOrNothing(() => put(store, guild, 'a'));
      await store.allOrNothing(() => Promise.reject(new Error('no'))).catch(() => {});
      await store.allOrNothing(() => put(store, guild, 'bad')).catch(() => {});
      await put(store, guild, 'b');
      await store.allOrNothing(() => put(store, guild, 'c'));
      expect(await idsOf(store, guild)).toEqual(['a', 'b', 'c']);
    });

    it('work without any write is no trouble', async () => {
      const { store } = await open();
      expect(await store.allOrNothing(async () => 5)).toBe(5);
    });
  });
}
