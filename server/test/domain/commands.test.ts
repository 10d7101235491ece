import { describe, expect, it } from 'vitest';
import { catalogueTag, createCommands } from '../../src/domain/records/commands.ts';
import { aCommand } from '../contract/specimens.ts';
import { TESTER } from '../support/change.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestStore } from '../support/open-store.ts';

describe('the tag of a catalogue', () => {
  const tag = catalogueTag([aCommand(), aCommand({ name: 'b' })]);

  it('is the same for the same content, whatever the order of fields', () => {
    const { name, ...rest } = aCommand();
    expect(catalogueTag([{ ...rest, name }, aCommand({ name: 'b' })])).toBe(tag);
    expect(tag).toMatch(/^[\w-]{22}$/);
  });

  it.each([
    ['another order', [aCommand({ name: 'b' }), aCommand()]],
    ['one less', [aCommand()]],
    ['another category', [aCommand({ category: 'x' }), aCommand({ name: 'b' })]],
    ['another description', [aCommand({ description: 'x' }), aCommand({ name: 'b' })]],
    ['another help', [aCommand({ extendedHelp: 'x' }), aCommand({ name: 'b' })]],
    ['other preconditions', [aCommand({ preconditions: [] }), aCommand({ name: 'b' })]],
    ['nothing', []],
  ])('differs for %s', (_, commands) => {
    expect(catalogueTag(commands)).not.toBe(tag);
  });

  it('keeps neighbouring fields apart', () => {
    const one = aCommand({ description: 'ab', extendedHelp: 'c' });
    const other = aCommand({ description: 'a', extendedHelp: 'bc' });
    expect(catalogueTag([one])).not.toBe(catalogueTag([other]));
  });
});

it('a catalogue is replaced under its tag, and refused under any other', async () => {
  const { store } = await openTestStore();
  const clock = createTestClock();
  const commands = createCommands({ store: store.commands, clock, builtIn: [] });
  await commands.replace([aCommand({ name: 'a' })], TESTER);
  const stale = commands.replace([], TESTER, catalogueTag([]));
  await expect(stale).rejects.toMatchObject({ code: 'commands_changed' });
  await commands.replace([aCommand({ name: 'b' })], TESTER, catalogueTag([aCommand({ name: 'a' })]));
  expect((await commands.list(undefined)).map(({ name }) => name)).toEqual(['b']);
  const [entry] = await store.audit.list(undefined, { limit: 1 });
  expect(entry).toMatchObject({ actor: TESTER, createdAtMs: clock.nowMs(), action: 'update' });
});

it('a category is listed without regard to case, and an unknown one is empty', async () => {
  const { store } = await openTestStore();
  const commands = createCommands({ store: store.commands, clock: createTestClock(), builtIn: [] });
  await commands.replace([aCommand({ category: 'Économie' }), aCommand({ category: 'Other' })], TESTER);
  expect(await commands.list('éCONOMIE')).toEqual([aCommand({ category: 'Économie' })]);
  expect(await commands.list('nothing')).toEqual([]);
});
