import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aGuild, aPastTransaction, aQuery, aTransaction, CHANGE } from '../contract/specimens.ts';
import { inOneTurn } from '../support/one-turn.ts';
import { openTwice, withRaw } from './full-store.ts';

const PLAYER = 'p1';

let file: string;
let store: Store;
let other: Store;
beforeAll(async () => {
  ({ file, store, other } = await openTwice());
});
afterAll(() => Promise.all([store.close(), other.close()]));

/** A guild of the test's own whose player has one transaction, which the store has listed twice. */
async function foundGuild(): Promise<Guild> {
  const guild = await store.guilds.set(aGuild({ guildId: randomUUIDv7() }), CHANGE);
  await store.ledger.append(aTransaction(guild, { playerId: PLAYER }));
  expect([await totalOf(guild), await totalOf(guild)]).toEqual([1, 1]);
  await nextTurn();
  return guild;
}

async function totalOf(guild: Guild): Promise<number> {
  return (await store.ledger.list(guild, PLAYER, aQuery())).total;
}

const WRITES: [string, (one: Store, guild: Guild) => Promise<unknown>][] = [
  ['a post', (one, guild) => one.ledger.append(aTransaction(guild, { playerId: PLAYER }))],
  [
    'a group of posts',
    (one, guild) =>
      one.ledger.appendGroup({
        guild,
        idempotency: undefined,
        transactions: [aTransaction(guild, { playerId: PLAYER })],
      }),
  ],
  ['an import', (one, guild) => one.ledger.import(guild, [aPastTransaction(guild, { playerId: PLAYER })])],
];

describe('a list of an account that was listed before', () => {
  it.each(WRITES)('has what %s of another process added', async (_, write) => {
    const guild = await foundGuild();
    await write(other, guild);
    await nextTurn();
    expect(await totalOf(guild)).toBe(2);
  });

  it.each(WRITES)(
    'has what %s of this process added, in the very turn in which it resolved',
    async (_, write) => {
      const guild = await foundGuild();
      const totals: unknown[] = [];
      let writing: Promise<unknown> = Promise.resolve();
      const rowCount = () =>
        withRaw(file, (db) =>
          db
            .prepare('SELECT count(*) AS count FROM ledger_transaction WHERE guild_no = ?')
            .get(guild.guildNo),
        );
      await inOneTurn(
        () => {
          // A list in the same turn takes the look that this turn's requests share.
          void totalOf(guild);
          writing = write(store, guild).then(async () => totals.push(await totalOf(guild)));
        },
        () => rowCount()?.count === 2,
      );
      await writing;
      expect(totals).toEqual([2]);
    },
  );
});
