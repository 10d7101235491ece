import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aDischarge, aTransaction, aTransfer, aVerification, CHANGE } from '../contract/specimens.ts';
import { depth } from '../support/depth.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { createDatabase, type TestDatabase } from './database.ts';

/** Longer than the window of the rate limits: no request counts against the next. */
const LIMIT_WINDOW_MS = 1_001;
const HOUR_MS = 3_600_000;

/** Somebody with a guild of their own who changes something and reads it at once. */
interface Reader {
  guild: Guild;
  key: string;
}

let database: TestDatabase;
let one: TestService;
let other: TestService;
let readers: Reader[];
beforeAll(async () => {
  database = await createDatabase();
  const environment = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) };
  [one, other] = [await startTestService(environment), await startTestService(environment)];
  // Side by side, so that their requests share statements.
  readers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const guild = await one.addGuild(`g${index}`);
      return { guild, key: (await one.addKey(`g${index}`)).value };
    }),
  );
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await database.remove();
});

interface Change {
  what: string;
  changes: { normal: number; deep: number };
  make: (store: Store, guild: Guild, name: string) => Promise<unknown>;
  path: (guild: Guild) => string;
}

const CHANGES: Change[] = [
  {
    what: 'a discharge',
    changes: { normal: 200, deep: 20_000 },
    make: ({ discharges }, guild, name) =>
      discharges.put(guild, [aDischarge(guild, { id: 'd', name })], CHANGE),
    path: () => '/guild/discharges/d',
  },
  {
    what: 'a discharge that was absent',
    changes: { normal: 60, deep: 2_000 },
    async make({ discharges }, guild, name) {
      await discharges.delete(guild, 'gone', CHANGE);
      const { key = '' } = readers.find((reader) => reader.guild === guild) ?? {};
      expect(await other.send({ url: '/guild/discharges/gone', key })).toMatchObject({ status: 404 });
      await discharges.put(guild, [aDischarge(guild, { id: 'gone', name })], CHANGE);
    },
    path: () => '/guild/discharges/gone',
  },
  {
    what: 'a transfer',
    changes: { normal: 100, deep: 10_000 },
    make: ({ transfers }, guild, name) => transfers.put(guild, [aTransfer(guild, { id: 't', name })], CHANGE),
    path: () => '/guild/transfers/t',
  },
  {
    what: 'a verification',
    changes: { normal: 100, deep: 10_000 },
    make: ({ verifications }, { guildId }, username) =>
      verifications.put(
        [aVerification({ chatId: `c${guildId}`, playerId: `p${guildId}`, username })],
        CHANGE,
      ),
    path: ({ guildId }) => `/users/c${guildId}`,
  },
  {
    what: 'a page of a list',
    changes: { normal: 400, deep: 60_000 },
    make: ({ ledger }, guild, name) => ledger.append(aTransaction(guild, { playerId: 'p', name })),
    path: () => '/guild/ledger/p/transactions?limit=1',
  },
];

describe('a read right after a change was acknowledged by another instance shows it', {
  timeout: HOUR_MS,
}, () => {
  it.each(CHANGES)('of $what', async ({ changes, make, path }) => {
    const rounds = depth(changes) / readers.length;
    let stale = 0;

    async function read({ guild, key }: Reader, name: string): Promise<void> {
      other.clock.advance(LIMIT_WINDOW_MS);
      const { status, text } = await other.send({ url: path(guild), key });
      expect(status, text).toBe(200);
      stale += text.includes(`"${name}"`) ? 0 : 1;
    }

    async function readAlong(reader: Reader): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        const name = `change ${round} in ${reader.guild.guildId}`;
        await make(one.store, reader.guild, name);
        await read(reader, name);
        // From memory: what the first read put there must not be older than the change either.
        await read(reader, name);
      }
    }

    await Promise.all(readers.map(readAlong));
    expect(stale).toBe(0);
  });
});
