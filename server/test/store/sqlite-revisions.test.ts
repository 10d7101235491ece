import { randomUUIDv7 } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { USUAL_CHAT_SETTINGS } from '../../src/domain/chat/settings.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import {
  aCommand,
  aDischarge,
  aGuild,
  aKey,
  aTransfer,
  aVerification,
  CHANGE,
} from '../contract/specimens.ts';
import { inOneTurn } from '../support/one-turn.ts';
import { openStoreOn, openTwice, withRaw } from './full-store.ts';

const PARTS = ['records', 'verifications', 'commands'] as const;

const CHANGES: [string, (typeof PARTS)[number], (store: Store, guild: Guild) => Promise<unknown>][] = [
  [
    'a discharge put',
    'records',
    (store, guild) => store.discharges.put(guild, [aDischarge(guild, { id: 'new' })], CHANGE),
  ],
  [
    'a discharge replaced',
    'records',
    (store, guild) => store.discharges.replace(guild, aDischarge(guild, { name: 'Other' }), CHANGE),
  ],
  [
    'a discharge deleted',
    'records',
    (store, guild) => store.discharges.delete(guild, aDischarge(guild).id, CHANGE),
  ],
  [
    'a transfer put',
    'records',
    (store, guild) => store.transfers.put(guild, [aTransfer(guild, { id: 'new' })], CHANGE),
  ],
  [
    'a transfer deleted',
    'records',
    (store, guild) => store.transfers.delete(guild, aTransfer(guild).id, CHANGE),
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

let file: string;
let store: Store;
let other: Store;
beforeAll(async () => {
  ({ file, store, other } = await openTwice());
});
afterAll(() => Promise.all([store.close(), other.close()]));

/** A guild of the test's own with a record of each kind, and a person, in a turn of the event loop in which nobody looked. */
async function found(): Promise<Guild> {
  const guild = await store.guilds.set(aGuild({ guildId: randomUUIDv7() }), CHANGE);
  await store.discharges.put(guild, [aDischarge(guild)], CHANGE);
  await store.transfers.put(guild, [aTransfer(guild)], CHANGE);
  await store.verifications.put([aVerification()], CHANGE);
  await store.commands.replace([], CHANGE);
  await nextTurn();
  return guild;
}

const revisionsOf = (one: Store, guild: Guild) =>
  PARTS.map((part) => one.revision(part === 'records' ? guild : part));

function isPresent(db: DatabaseSync, { guildNo }: Guild): boolean {
  return db.prepare('SELECT 1 FROM discharge WHERE guild_no = ?').get(guildNo) !== undefined;
}

describe('the revision of a part', () => {
  it.each(CHANGES)(
    'moves with %s, here and in another process, and the others stay',
    async (_, part, change) => {
      const guild = await found();
      const before = revisionsOf(store, guild);
      expect(revisionsOf(other, guild)).toEqual(before);
      await change(store, guild);
      await nextTurn();
      const after = revisionsOf(store, guild);
      expect(revisionsOf(other, guild)).toEqual(after);
      expect(PARTS.filter((_part, index) => after[index] !== before[index])).toEqual([part]);
    },
  );

  it('moves in the very turn in which a change of our own resolved', async () => {
    const guild = await found();
    let before: ReturnType<Store['revision']>;
    let changing: Promise<boolean> = Promise.resolve(false);
    const seen: unknown[] = [];
    await inOneTurn(
      () => {
        before = store.revision(guild);
        changing = store.discharges.delete(guild, aDischarge(guild).id, CHANGE);
        void changing.then(() => seen.push(store.revision(guild)));
      },
      () => withRaw(file, (db) => isPresent(db, guild)) === false,
    );
    await changing;
    expect(before).toBeDefined();
    expect(seen[0]).not.toBe(before);
  });

  it('moves with whatever else writes to the file', async () => {
    const guild = await found();
    const before = store.revision(guild);
    withRaw(file, (db) => db.exec("UPDATE discharge SET signed = 'somebody'"));
    await nextTurn();
    expect(store.revision(guild)).not.toBe(before);
  });

  it('is not known of a closed store', async () => {
    const guild = await found();
    const closed = await openStoreOn(file);
    await closed.close();
    await nextTurn();
    expect(revisionsOf(closed, guild)).toEqual([undefined, undefined, undefined]);
  });
});

it("the revision of a guild's ledger moves with its own keys and stays when another guild's change", async () => {
  const [busy, calm] = [await found(), await found()];
  const revisions = (guild: Guild) => [store, other].map((one) => one.entries.revision(guild));
  const [busyBefore, calmBefore] = [revisions(busy), revisions(calm)];
  const key = aKey(busy);
  const changes = [
    () => store.keys.insert(key, CHANGE),
    () => other.keys.update(key.keyId, { name: 'Another name', isTighteningOnly: false }, CHANGE),
  ];
  for (const change of changes) {
    const [before] = revisions(busy);
    await change();
    await nextTurn();
    expect(revisions(busy)).not.toContain(before);
  }
  expect(revisions(busy)).not.toEqual(busyBefore);
  expect(revisions(calm)).toEqual(calmBefore);
  // As a version without records of changes writes it.
  withRaw(file, (db) => db.exec("UPDATE revision SET value = value + 1 WHERE part = 'keys'"));
  await nextTurn();
  expect(revisions(calm)).not.toContain(calmBefore[0]);
});

describe('what commands of the chat read from memory', () => {
  const settingsOf = async (one: Store, { guildId }: Guild) => (await one.chat.find(guildId))?.settings;
  const OFF = { ...USUAL_CHAT_SETTINGS, commandsOff: ['balance'] };
  const renamed = aVerification({ username: 'renamed' });

  it('is right after a change by another process', async () => {
    const guild = await found();
    expect(await settingsOf(store, guild)).toEqual(USUAL_CHAT_SETTINGS);
    expect(await store.verifications.find(['chat'], renamed.chatId)).not.toMatchObject(renamed);
    await other.chat.setSettings(guild, OFF, CHANGE);
    await other.verifications.put([renamed], CHANGE);
    await nextTurn();
    expect(await settingsOf(store, guild)).toEqual(OFF);
    expect(await store.verifications.find(['chat'], renamed.chatId)).toMatchObject(renamed);
    await other.verifications.delete(renamed.chatId, CHANGE);
    await nextTurn();
    expect(await store.verifications.find(['chat'], renamed.chatId)).toBeUndefined();
  });

  it('is right in the very turn in which a change of our own resolved', async () => {
    const guild = await found();
    await settingsOf(store, guild);
    const seen: unknown[] = [];
    let changing: Promise<void> = Promise.resolve();
    await inOneTurn(
      () => {
        void settingsOf(store, guild);
        changing = store.chat.setSettings(guild, OFF, CHANGE).then(async () => {
          seen.push(await settingsOf(store, guild));
        });
      },
      () => withRaw(file, (db) => hasChatSettings(db, guild)),
    );
    await changing;
    expect(seen).toEqual([OFF]);
  });
});

function hasChatSettings(db: DatabaseSync, { guildNo }: Guild): boolean {
  return db.prepare('SELECT 1 FROM guild_chat WHERE guild_no = ?').get(guildNo) !== undefined;
}
