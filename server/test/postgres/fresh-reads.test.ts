import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import {
  aDischarge,
  aPastTransaction,
  aTransaction,
  aTransfer,
  aVerification,
  CHANGE,
} from '../contract/specimens.ts';
import { depth } from '../support/depth.ts';
import { startTestService, type TestReply, type TestService } from '../support/service.ts';
import { createDatabase, type TestDatabase } from './database.ts';

/** Longer than the window of the rate limits: no request counts against the next. */
const LIMIT_WINDOW_MS = 1_001;
const HOUR_MS = 3_600_000;

/** Somebody with a guild of their own who changes something and reads it at once. */
interface Reader {
  guild: Guild;
  keyId: string;
  key: string;
  /** The number after which this reader follows the feed. */
  feedStart?: number;
  /** The transaction that this reader watches. */
  transactionId?: string;
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
      const { keyId, value: key } = await one.addKey(`g${index}`);
      return { guild, keyId, key };
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
  /** Makes the change. Returns the text by which an answer shows it; by default that is the name in quotes. */
  make: (store: Store, reader: Reader, name: string) => Promise<string | object | undefined>;
  path: (reader: Reader) => string;
}

async function post({ key }: Reader, name: string): Promise<TestReply> {
  one.clock.advance(LIMIT_WINDOW_MS);
  const payload = { playerId: 'p', name, quantity: 1, amount: 10, source: 's' };
  const reply = await one.send({ method: 'POST', url: '/guild/ledger', key, payload });
  expect(reply.status, reply.text).toBe(200);
  return reply;
}

/** Returns how answers show the balance afterwards. */
async function postForBalance(reader: Reader): Promise<string> {
  const { headers } = await post(reader, 'n');
  return `"balance":${headers['account-balance']},`;
}

/** Reads through the other instance, so that it has the answer in memory. */
async function readOnOther({ key }: Reader, url: string): Promise<TestReply> {
  other.clock.advance(LIMIT_WINDOW_MS);
  return other.send({ url, key });
}

const CHANGES: Change[] = [
  {
    what: 'a discharge',
    changes: { normal: 200, deep: 20_000 },
    make: ({ discharges }, { guild }, name) =>
      discharges.put(guild, [aDischarge(guild, { id: 'd', name })], CHANGE),
    path: () => '/guild/discharges/d',
  },
  {
    what: 'a discharge that was absent',
    changes: { normal: 60, deep: 2_000 },
    async make({ discharges }, { guild, key }, name) {
      await discharges.delete(guild, 'gone', CHANGE);
      expect(await other.send({ url: '/guild/discharges/gone', key })).toMatchObject({ status: 404 });
      return discharges.put(guild, [aDischarge(guild, { id: 'gone', name })], CHANGE);
    },
    path: () => '/guild/discharges/gone',
  },
  {
    what: 'a transfer',
    changes: { normal: 100, deep: 10_000 },
    make: ({ transfers }, { guild }, name) =>
      transfers.put(guild, [aTransfer(guild, { id: 't', name })], CHANGE),
    path: () => '/guild/transfers/t',
  },
  {
    what: 'a verification',
    changes: { normal: 100, deep: 10_000 },
    make: ({ verifications }, { guild: { guildId } }, username) =>
      verifications.put(
        [aVerification({ chatId: `c${guildId}`, playerId: `p${guildId}`, username })],
        CHANGE,
      ),
    path: ({ guild }) => `/users/c${guild.guildId}`,
  },
  {
    what: 'a page of a list',
    changes: { normal: 400, deep: 60_000 },
    make: ({ ledger }, { guild }, name) => ledger.append(aTransaction(guild, { playerId: 'p', name })),
    path: () => '/guild/ledger/p/transactions?limit=1',
  },
  {
    what: "the guild's history",
    changes: { normal: 200, deep: 20_000 },
    make: (_, reader, name) => post(reader, name),
    path: () => '/guild/transactions?limit=1',
  },
  {
    what: "the guild's history, imported",
    changes: { normal: 60, deep: 2_000 },
    make: ({ ledger }, { guild }, name) => ledger.import(guild, [aPastTransaction(guild, { name })]),
    path: () => '/guild/transactions?limit=1',
  },
  {
    what: 'the history of a player',
    changes: { normal: 100, deep: 10_000 },
    make: (_, reader, name) => post(reader, name),
    path: () => '/guild/transactions?limit=1&playerId=p',
  },
  {
    what: 'the feed',
    changes: { normal: 100, deep: 2_000 },
    async make({ entries }, reader, name) {
      reader.feedStart ??= await entries.lastNumber(reader.guild);
      return post(reader, name);
    },
    path: ({ feedStart }) => `/guild/feed?after=${feedStart}&limit=1000`,
  },
  {
    what: 'the balance of a player',
    changes: { normal: 200, deep: 20_000 },
    make: (_, reader) => postForBalance(reader),
    path: () => '/guild/accounts/p',
  },
  {
    what: 'the accounts by balance',
    changes: { normal: 100, deep: 10_000 },
    // Nobody else has as much as this player.
    make: (_, reader) => postForBalance(reader),
    path: () => '/guild/accounts?limit=1',
  },
  {
    what: 'a transaction that was reversed',
    changes: { normal: 100, deep: 10_000 },
    async make(_, reader, name) {
      reader.transactionId = String((await post(reader, name)).headers['transaction-id']);
      const url = `/guild/transactions/${reader.transactionId}`;
      expect((await readOnOther(reader, url)).text).toContain('"reversedBy":null');
      const reversed = await one.send({
        method: 'POST',
        url: `${url}/reversal`,
        key: reader.key,
        payload: {},
      });
      return `"reversedBy":"${reversed.body.data.transaction.transactionId}"`;
    },
    path: ({ transactionId }) => `/guild/transactions/${transactionId}`,
  },
  {
    what: 'a transaction whose key was renamed',
    changes: { normal: 100, deep: 10_000 },
    async make({ keys }, reader, name) {
      reader.transactionId = String((await post(reader, 'n')).headers['transaction-id']);
      await readOnOther(reader, `/guild/transactions/${reader.transactionId}`);
      return keys.update(reader.keyId, { name, isTighteningOnly: false }, CHANGE);
    },
    path: ({ transactionId }) => `/guild/transactions/${transactionId}`,
  },
  {
    what: 'the name of a person who corrected a balance',
    changes: { normal: 60, deep: 2_000 },
    async make({ ledger }, reader, name) {
      const { guild } = reader;
      const transaction = aTransaction(guild, { postedBy: guild.guildId });
      await ledger.append(transaction);
      reader.transactionId = transaction.transactionId;
      await readOnOther(reader, `/guild/transactions/${reader.transactionId}`);
      await database.query(
        `INSERT INTO chat_user (chat_id, name) VALUES ('${guild.guildId}', '${name}')
         ON CONFLICT (chat_id) DO UPDATE SET name = excluded.name`,
      );
    },
    path: ({ transactionId }) => `/guild/transactions/${transactionId}`,
  },
];

describe('a read right after a change was acknowledged by another instance shows it', {
  timeout: HOUR_MS,
}, () => {
  it.each(CHANGES)('of $what', async ({ changes, make, path }) => {
    const rounds = depth(changes) / readers.length;
    let stale = 0;

    async function read(reader: Reader, shown: string): Promise<void> {
      const { status, text } = await readOnOther(reader, path(reader));
      expect(status, text).toBe(200);
      stale += text.includes(shown) ? 0 : 1;
    }

    async function readAlong(reader: Reader): Promise<void> {
      for (let round = 0; round < rounds; round += 1) {
        const name = `change ${round} in ${reader.guild.guildId}`;
        const shown = await make(one.store, reader, name);
        const text = typeof shown === 'string' ? shown : `"${name}"`;
        await read(reader, text);
        // From memory: what the first read put there must not be older than the change either.
        await read(reader, text);
      }
    }

    await Promise.all(readers.map(readAlong));
    expect(stale).toBe(0);
  });
});
