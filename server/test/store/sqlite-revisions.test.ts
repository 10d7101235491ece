import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aCommand, aDischarge, aGuild, aTransfer, aVerification, CHANGE } from '../contract/specimens.ts';
import { inOneTurn } from '../support/one-turn.ts';
import { openTestStore } from '../support/open-store.ts';
import { openStoreOn, withRaw } from './full-store.ts';

const PARTS = ['records', 'verifications', 'commands'] as const;

const CHANGES: [string, (typeof PARTS)[number], (store: Store, guild: Guild) => Promise<unknown>][] = [
  [
    'a discharge put',
    'records',
    (store, guild) => store.records.putDischarges(guild, [aDischarge(guild, { id: 'new' })], CHANGE),
  ],
  [
    'a discharge replaced',
    'records',
    (store, guild) => store.records.replaceDischarge(guild, aDischarge(guild, { name: 'Other' }), CHANGE),
  ],
  [
    'a discharge deleted',
    'records',
    (store, guild) => store.records.deleteDischarge(guild, aDischarge(guild).id, CHANGE),
  ],
  [
    'a transfer put',
    'records',
    (store, guild) => store.records.putTransfers(guild, [aTransfer(guild, { id: 'new' })], CHANGE),
  ],
  [
    'a transfer deleted',
    'records',
    (store, guild) => store.records.deleteTransfer(guild, aTransfer(guild).id, CHANGE),
  ],
  [
    'a person verified anew',
    'verifications',
    (store) => store.verifications.put([aVerification({ username: 'renamed' })], CHANGE),
  ],
  [
    'a person forgotten',
    'verifications',
    (store) => store.verifications.delete(aVerification().chatId, CHANGE),
  ],
  ['a catalogue replaced', 'commands', (store) => store.commands.replace([aCommand()], CHANGE)],
];

async function openTwo() {
  const { store, file } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  await store.records.putDischarges(guild, [aDischarge(guild)], CHANGE);
  await store.records.putTransfers(guild, [aTransfer(guild)], CHANGE);
  await store.verifications.put([aVerification()], CHANGE);
  const other = await openStoreOn(file);
  onTestFinished(() => other.close());
  return { store, other, guild, file };
}

const revisionsOf = (store: Store) => PARTS.map((part) => store.revision(part));

describe('the revision of a part', () => {
  it.each(CHANGES)(
    'moves with %s, here and in another process, and the others stay',
    async (_, part, change) => {
      const { store, other, guild } = await openTwo();
      const before = revisionsOf(store);
      expect(revisionsOf(other)).toEqual(before);
      await change(store, guild);
      await nextTurn();
      const after = revisionsOf(store);
      expect(revisionsOf(other)).toEqual(after);
      expect(PARTS.filter((_part, index) => after[index] !== before[index])).toEqual([part]);
    },
  );

  it('moves in the very turn in which a change of our own resolved', async () => {
    const { store, guild, file } = await openTwo();
    let before: number | undefined;
    let changing: Promise<boolean> = Promise.resolve(false);
    const seen: unknown[] = [];
    await inOneTurn(
      () => {
        before = store.revision('records');
        changing = store.records.deleteDischarge(guild, aDischarge(guild).id, CHANGE);
        void changing.then(() => seen.push(store.revision('records')));
      },
      () => withRaw(file, (db) => db.prepare('SELECT 1 FROM discharge').get()) === undefined,
    );
    await changing;
    expect(before).toBeDefined();
    expect(seen[0]).not.toBe(before);
  });

  it('moves with whatever else writes to the file', async () => {
    const { store, file } = await openTwo();
    const before = store.revision('records');
    withRaw(file, (db) => db.exec("UPDATE discharge SET signed = 'somebody'"));
    await nextTurn();
    expect(store.revision('records')).not.toBe(before);
  });

  it('is not known of a closed store', async () => {
    const { other } = await openTwo();
    await other.close();
    await nextTurn();
    expect(revisionsOf(other)).toEqual([undefined, undefined, undefined]);
  });
});
