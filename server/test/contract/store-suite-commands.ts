import { describe, expect, it } from 'vitest';
import { aCommand, domainError } from './specimens.ts';
import { type CreatePlace, openPlace } from './store-place.ts';

export function describeCommandStore(createPlace: CreatePlace): void {
  describe('commands', () => {
    it('the catalogue of an empty store is empty', async () => {
      const { store } = await openPlace(createPlace);
      expect(await store.commands.list()).toEqual([]);
    });

    it('the catalogue is listed whole and in the order it was given', async () => {
      const { store } = await openPlace(createPlace);
      const commands = [
        aCommand({ name: 'zebra', preconditions: [] }),
        aCommand({ name: 'Apple', category: 'Zoo', extendedHelp: '' }),
        aCommand({ name: 'apple', preconditions: ['b', 'a', 'comma, "quote"'] }),
        aCommand({ name: 'zebra', preconditions: [] }),
      ];
      await store.commands.replace(commands);
      expect(await store.commands.list()).toEqual(commands);
    });

    it('replacing leaves nothing of the old catalogue, down to none at all', async () => {
      const { store } = await openPlace(createPlace);
      await store.commands.replace([aCommand({ name: 'one' }), aCommand({ name: 'two' })]);
      await store.commands.replace([aCommand({ name: 'three' })]);
      expect(await store.commands.list()).toEqual([aCommand({ name: 'three' })]);
      await store.commands.replace([]);
      expect(await store.commands.list()).toEqual([]);
    });

    it('the same array is returned until the catalogue changes', async () => {
      const { store } = await openPlace(createPlace);
      await store.commands.replace([aCommand()]);
      const first = await store.commands.list();
      expect(await store.commands.list()).toBe(first);
      await nextTurn();
      expect(await store.commands.list()).toBe(first);
      await store.commands.replace([aCommand({ name: 'other' })]);
      const second = await store.commands.list();
      expect(second).toEqual([aCommand({ name: 'other' })]);
      expect(await store.commands.list()).toBe(second);
      expect(first).toEqual([aCommand()]);
    });

    it('a replacement that fails half-way leaves the catalogue as it was', async () => {
      const { store } = await openPlace(createPlace);
      await store.commands.replace([aCommand()]);
      // A type-correct caller cannot make a store fail half-way.
      const broken = aCommand({ description: null as unknown as string });
      const replacing = store.commands.replace([aCommand({ name: 'new' }), broken]);
      await expect(replacing).rejects.toMatchObject(domainError('internal'));
      expect(await store.commands.list()).toEqual([aCommand()]);
    });

    it('of replacements at once the one given last stands', async () => {
      const { store } = await openPlace(createPlace);
      const names = ['a', 'b', 'c', 'd'];
      await Promise.all(names.map((name) => store.commands.replace([aCommand({ name })])));
      expect(await store.commands.list()).toEqual([aCommand({ name: 'd' })]);
    });
  });
}

/** A store may look once per turn of the event loop whether something changed; this begins a new one. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
