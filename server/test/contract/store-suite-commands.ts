import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/domain/ports.ts';
import { catalogueTag } from '../../src/domain/records/commands.ts';
import { aCommand, CHANGE, domainError } from './specimens.ts';
import { type CreatePlace, openPlace, openPlaceUntilClosed } from './store-place.ts';

export function describeCommandStore(createPlace: CreatePlace): void {
  describe('commands', () => {
    let store: Store;
    let other: Store;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const place = await openPlaceUntilClosed(createPlace);
      store = place.store;
      other = await place.openAnother();
      close = place.close;
    });
    afterAll(() => close());
    beforeEach(async () => {
      await store.commands.replace([], CHANGE);
    });

    it('the catalogue of a new store is empty', async () => {
      const { store } = await openPlace(createPlace);
      expect(await store.commands.list()).toEqual([]);
    });

    it('the catalogue is listed whole and in the order it was given', async () => {
      const commands = [
        aCommand({ name: 'zebra', preconditions: [] }),
        aCommand({ name: 'Apple', category: 'Zoo', extendedHelp: '' }),
        aCommand({ name: 'apple', preconditions: ['b', 'a', 'comma, "quote"'] }),
        aCommand({ name: 'zebra', preconditions: [] }),
      ];
      await store.commands.replace(commands, CHANGE);
      expect(await store.commands.list()).toEqual(commands);
    });

    it('replacing leaves nothing of the old catalogue, down to none at all', async () => {
      await store.commands.replace([aCommand({ name: 'one' }), aCommand({ name: 'two' })], CHANGE);
      await store.commands.replace([aCommand({ name: 'three' })], CHANGE);
      expect(await store.commands.list()).toEqual([aCommand({ name: 'three' })]);
      await store.commands.replace([], CHANGE);
      expect(await store.commands.list()).toEqual([]);
    });

    it('the same array is returned until the catalogue changes', async () => {
      await store.commands.replace([aCommand()], CHANGE);
      const first = await store.commands.list();
      expect(await store.commands.list()).toBe(first);
      await nextTurn();
      expect(await store.commands.list()).toBe(first);
      await store.commands.replace([aCommand({ name: 'other' })], CHANGE);
      const second = await store.commands.list();
      expect(second).toEqual([aCommand({ name: 'other' })]);
      expect(await store.commands.list()).toBe(second);
      expect(first).toEqual([aCommand()]);
    });

    it('a replacement that fails half-way leaves the catalogue as it was', async () => {
      await store.commands.replace([aCommand()], CHANGE);
      // A type-correct caller cannot make a store fail half-way.
      const broken = aCommand({ description: null as unknown as string });
      const replacing = store.commands.replace([aCommand({ name: 'new' }), broken], CHANGE);
      await expect(replacing).rejects.toMatchObject(domainError('internal'));
      expect(await store.commands.list()).toEqual([aCommand()]);
    });

    it('a replacement tells whether the catalogue was created, updated or left as it was', async () => {
      const [one, two] = [aCommand({ name: 'one' }), aCommand({ name: 'two' })];
      expect(await store.commands.replace([], CHANGE)).toBe('unchanged');
      expect(await store.commands.replace([one, two], CHANGE)).toBe('created');
      expect(await store.commands.replace([one, two], CHANGE)).toBe('unchanged');
      expect(await store.commands.replace([two, one], CHANGE)).toBe('updated');
      expect(await store.commands.replace([], CHANGE)).toBe('updated');
    });

    it('replacing a catalogue with itself does not touch it', async () => {
      await store.commands.replace([aCommand()], CHANGE);
      const lists = [await store.commands.list(), await other.commands.list()];
      expect(await store.commands.replace([aCommand()], CHANGE, catalogueTag([aCommand()]))).toBe(
        'unchanged',
      );
      await nextTurn();
      expect(await store.commands.list()).toBe(lists[0]);
      expect(await other.commands.list()).toBe(lists[1]);
    });

    it('with an expected tag the catalogue is replaced only while it still has it', async () => {
      const old = [aCommand({ name: 'old' })];
      const present = [aCommand({ name: 'present' })];
      expect(await store.commands.replace(old, CHANGE, catalogueTag([]))).toBe('created');
      expect(await store.commands.replace(present, CHANGE, catalogueTag(old))).toBe('updated');
      for (const [commands, tag] of [
        [old, catalogueTag(old)],
        [[], 'no tag of any catalogue'],
        [present, catalogueTag(old)],
      ] as const) {
        const replacing = store.commands.replace(commands, CHANGE, tag);
        await expect(replacing).rejects.toMatchObject(domainError('commands_changed'));
        expect(await store.commands.list()).toEqual(present);
      }
    });

    it('of replacements at once that expect the same tag exactly one succeeds', async () => {
      const names = ['a', 'b', 'c', 'd', 'e', 'f'];
      const results = await Promise.allSettled(
        names.map((name, index) =>
          (index % 2 === 0 ? store : other).commands.replace([aCommand({ name })], CHANGE, catalogueTag([])),
        ),
      );
      const winners = names.filter((_, index) => results[index]?.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      expect((await store.commands.list()).map(({ name }) => name)).toEqual(winners);
    });

    it('of replacements at once the one given last stands', async () => {
      const names = ['a', 'b', 'c', 'd'];
      await Promise.all(names.map((name) => store.commands.replace([aCommand({ name })], CHANGE)));
      expect(await store.commands.list()).toEqual([aCommand({ name: 'd' })]);
    });
  });
}

/** A store may look once per turn of the event loop whether something changed; this begins a new one. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
