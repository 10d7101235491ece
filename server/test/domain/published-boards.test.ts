import { expect, it } from 'vitest';
import { type Board, USUAL_BOARD } from '../../src/domain/board/board.ts';
import { createPublishedBoards } from '../../src/domain/board/published-boards.ts';

/** A store of boards that a test changes, which counts its statements. */
function createStore(...names: string[]) {
  const boards = new Map<string, Board>();
  const asked: (readonly string[])[] = [];
  const store = {
    asked,
    counter: 1,
    put(name: string, changes: Partial<Board> = {}) {
      boards.set(name, {
        ...USUAL_BOARD,
        isPublished: true,
        name,
        guild: { guildNo: 1, guildId: 'g' },
        ...changes,
      });
      store.counter += 1;
    },
    revision: () => store.counter,
    async findNamed(wanted: readonly string[]) {
      asked.push(wanted);
      return wanted.flatMap((name) => structuredClone(boards.get(name)) ?? []);
    },
  };
  for (const name of names) {
    store.put(name);
  }
  return store;
}

it('names are looked up once while no board changes, unknown ones too', async () => {
  const store = createStore('one');
  const { find } = createPublishedBoards(store);
  expect((await find('one'))?.name).toBe('one');
  expect(await find('none')).toBeUndefined();
  expect(find('one')).not.toBeInstanceOf(Promise);
  expect(find('none')).toBeUndefined();
  expect(store.asked).toEqual([['one'], ['none']]);
});

it('names that are asked for during a statement share the next one', async () => {
  const store = createStore('one', 'two');
  const { find } = createPublishedBoards(store);
  const names = ['one', ...Array.from({ length: 50 }, (_, index) => `name-${index}`), 'two', 'two'];
  const found = await Promise.all(names.map(find));
  expect(found.map((board) => board?.name)).toEqual(names.map((name) => (/-/.test(name) ? undefined : name)));
  expect(store.asked.map(({ length }) => length)).toEqual([1, 51]);
});

it('a board stays the same object until its settings change', async () => {
  const store = createStore('one', 'two');
  const { find } = createPublishedBoards(store);
  const first = await find('one');
  store.put('two', { totals: false });
  expect(await find('one')).toBe(first);
  store.put('one', { totals: false });
  const second = await find('one');
  expect(second).not.toBe(first);
  expect(second?.totals).toBe(false);
  store.put('one', { isPublished: false });
  expect(await find('one')).toBeUndefined();
});

it('a board that changes during its look-up is looked up again', async () => {
  const store = createStore('one');
  const { find } = createPublishedBoards(store);
  const under = find('one');
  store.put('one', { isPublished: false });
  await under;
  expect(await find('one')).toBeUndefined();
});

it.each(['', 'ab', 'A-b', 'embed', 'x'.repeat(33), '../x'])('%j is never looked up', async (name) => {
  const store = createStore();
  expect(await createPublishedBoards(store).find(name)).toBeUndefined();
  expect(store.asked).toEqual([]);
});

it('a failed look-up is not kept', async () => {
  const store = createStore('one');
  let isDown = true;
  const { find } = createPublishedBoards({
    ...store,
    findNamed: (names) => (isDown ? Promise.reject(new Error('down')) : store.findNamed(names)),
  });
  await expect(find('one')).rejects.toThrow('down');
  isDown = false;
  expect((await find('one'))?.name).toBe('one');
});
