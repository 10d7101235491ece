import { describe, expect, it } from 'vitest';
import type { GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aDischarge, aGuild, aKey, aTransaction, aTransfer, aVerification, CHANGE } from './specimens.ts';
import { type CreatePlace, openWithGuild, shareCleared } from './store-place.ts';

// More than a store would fetch at one go, and out of order.
const MANY = Array.from({ length: 1_500 }, (_, index) => `${(index * 7) % 1_500}`.padStart(5, '0'));

interface Stream {
  fill(store: Store, guild: GuildRef, ids: readonly string[]): Promise<unknown>;
  read(store: Store): AsyncIterable<unknown>;
}

/** The four streams of a store, each filled and read in the same way. */
const STREAMS: Record<'discharges' | 'transfers' | 'verifications' | 'transactions', Stream> = {
  discharges: {
    fill: (store: Store, guild: GuildRef, ids: readonly string[]) =>
      store.discharges.put(
        guild,
        ids.map((id) => aDischarge(guild, { id })),
        CHANGE,
      ),
    read: (store: Store) => store.discharges.read(undefined),
  },
  transfers: {
    fill: (store: Store, guild: GuildRef, ids: readonly string[]) =>
      store.transfers.put(
        guild,
        ids.map((id) => aTransfer(guild, { id })),
        CHANGE,
      ),
    read: (store: Store) => store.transfers.read(undefined),
  },
  verifications: {
    fill: (store: Store, _guild: GuildRef, ids: readonly string[]) =>
      store.verifications.put(
        ids.map((chatId) =>
          aVerification({
            chatId,
            playerId: chatId,
            pastUsers: [{ playerId: `past ${chatId}`, username: 'x' }],
          }),
        ),
        CHANGE,
      ),
    read: (store: Store) => store.verifications.read(),
  },
  transactions: {
    fill: (store: Store, guild: GuildRef, ids: readonly string[]) =>
      Promise.all(ids.map((name) => store.ledger.append(aTransaction(guild, { name })))),
    read: (store: Store) => store.ledger.read(undefined),
  },
};
const STREAM_NAMES = Object.keys(STREAMS) as (keyof typeof STREAMS)[];

/** All that a reading gives. */
async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

export function describeStreams(createPlace: CreatePlace): void {
  describe('reading everything', () => {
    const open = shareCleared(createPlace);

    /** The store without records and people, with one guild in it. Transactions stay, and need a place of their own. */
    async function openFor(name: keyof typeof STREAMS) {
      return name === 'transactions' ? openWithGuild(createPlace) : openCleared();
    }

    async function openCleared() {
      const place = await open();
      return { ...place, guild: await place.store.guilds.set(aGuild(), CHANGE) };
    }

    it('of a guild or of all gives whole records, guild by guild, ordered by id byte by byte', async () => {
      const { store } = await open();
      const guilds = [
        await store.guilds.set(aGuild({ guildId: 'one' }), CHANGE),
        await store.guilds.set(aGuild({ guildId: 'two' }), CHANGE),
      ];
      const ids = ['b', 'é', 'a', 'B', '10', '9', 'a b', 'ab'];
      const sorted = ['10', '9', 'B', 'a', 'a b', 'ab', 'b', 'é'];
      for (const id of ids) {
        for (const guild of guilds) {
          await store.discharges.put(guild, [aDischarge(guild, { id })], CHANGE);
          await store.transfers.put(guild, [aTransfer(guild, { id })], CHANGE);
        }
      }
      const byGuild = <Item>(make: (guild: GuildRef, changes: { id: string }) => Item) =>
        guilds.map((guild) => sorted.map((id) => make(guild, { id })));
      expect(await gather(store.discharges.read(undefined))).toEqual(byGuild(aDischarge).flat());
      expect(await gather(store.transfers.read(undefined))).toEqual(byGuild(aTransfer).flat());
      for (const [index, guild] of guilds.entries()) {
        expect(await gather(store.discharges.read(guild))).toEqual(byGuild(aDischarge)[index]);
        expect(await gather(store.transfers.read(guild))).toEqual(byGuild(aTransfer)[index]);
      }
    });

    it('of verifications is ordered by chatId byte by byte, past accounts included', async () => {
      const { store } = await open();
      const person = (chatId: string) =>
        aVerification({
          chatId,
          playerId: `p ${chatId}`,
          pastUsers: [
            { playerId: `z ${chatId}`, username: 'Z' },
            { playerId: `a ${chatId}`, username: 'A' },
          ],
        });
      await store.verifications.put(['b', 'é', 'B', '10', '9'].map(person), CHANGE);
      expect(await gather(store.verifications.read())).toEqual(['10', '9', 'B', 'b', 'é'].map(person));
    });

    it('of an empty store gives nothing', async () => {
      const { store, guild } = await openCleared();
      for (const name of STREAM_NAMES) {
        expect(await gather(STREAMS[name].read(store)), name).toEqual([]);
      }
      expect(await gather(store.ledger.read(guild))).toEqual([]);
    });

    it('of the ledger goes in the order of numbers, with guild, player and exact amounts', async () => {
      const { store, guild } = await openWithGuild(createPlace);
      const other = await store.guilds.set(aGuild({ guildId: 'other' }), CHANGE);
      const posted = ['q', 'p', 'q', 'p', 'q'].map((playerId, index) =>
        aTransaction(guild, { playerId, amountUnits: -index - 1, quantity: 2, name: `${index}` }),
      );
      const theirs = aTransaction(other, { playerId: 'q', name: 'theirs' });
      for (const transaction of [theirs, ...posted]) {
        await store.ledger.append(transaction);
      }
      const read = await gather(store.ledger.read(guild));
      const { guild: _, keyNo: _key, idempotency: _idempotency, ...fields } = posted[0] ?? theirs;
      expect(read[0]).toEqual({ ...fields, guildId: guild.guildId, number: 1 });
      expect(read.map(({ playerId, name, number }) => `${playerId}${name} ${number}`)).toEqual([
        'q0 1',
        'p1 2',
        'q2 3',
        'p3 4',
        'q4 5',
      ]);
      const all = await gather(store.ledger.read(undefined));
      expect(all).toHaveLength(6);
      expect(all.filter((one) => one.guildId === other.guildId).map((one) => one.name)).toEqual(['theirs']);
    });

    it.each(STREAM_NAMES)('%s shows the moment it began, whatever is written meanwhile', async (name) => {
      const { store, guild, openAnother } = await openFor(name);
      const { fill, read } = STREAMS[name];
      await fill(store, guild, MANY);
      const before = await gather(read(store));
      expect(before).toHaveLength(MANY.length);
      const other = await openAnother();
      const seen: unknown[] = [];
      for await (const item of read(store)) {
        seen.push(item);
        if (seen.length === 1 || seen.length === 1_200) {
          await fill(store, guild, [`00000 ${seen.length}`, `99999 ${seen.length}`]);
          await fill(other, guild, [`01000 ${seen.length}`, `03000 ${seen.length}`]);
        }
        if (seen.length === 2 && name === 'verifications') {
          await store.verifications.delete('01400', CHANGE);
        }
      }
      expect(seen).toEqual(before);
      expect(await gather(read(store))).not.toHaveLength(MANY.length);
    });

    it('does not hold back other reads: what is written meanwhile is found at once', async () => {
      const { store, guild } = await openCleared();
      const key = aKey(guild);
      await store.keys.insert(key, CHANGE);
      await store.discharges.put(guild, [aDischarge(guild, { id: 'a' }), aDischarge(guild)], CHANGE);
      expect(await store.keys.findByHash(key.hash)).toBeDefined();
      let rounds = 0;
      for await (const _ of store.discharges.read(guild)) {
        rounds += 1;
        await store.discharges.put(guild, [aDischarge(guild, { id: `z${rounds}` })], CHANGE);
        expect(await store.discharges.find(guild, `z${rounds}`)).toBeDefined();
        await store.keys.delete(key.keyId, CHANGE);
        expect(await store.keys.findByHash(key.hash), 'a deleted key is refused at once').toBeUndefined();
      }
      expect(rounds).toBe(2);
    });

    it('may be given up in the middle, and two readings do not disturb each other', async () => {
      const { store, guild } = await openCleared();
      await STREAMS.discharges.fill(store, guild, ['a', 'b', 'c']);
      for await (const first of store.discharges.read(guild)) {
        expect(first.id).toBe('a');
        expect((await gather(store.discharges.read(guild))).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
        break;
      }
      await STREAMS.discharges.fill(store, guild, ['d']);
      expect(await gather(store.discharges.read(guild))).toHaveLength(4);
    });
  });
}
