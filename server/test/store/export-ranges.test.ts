import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { DetailedTransaction } from '../../src/domain/ledger/ledger-views.ts';
import { aGuild, aPastTransaction, aQuery, aTransaction, CHANGE, NOON_MS } from '../contract/specimens.ts';
import { openTestStore } from '../support/open-store.ts';

/** More than one range holds. */
const ROWS = 500;
const ALL = { source: undefined, minUnits: undefined, maxUnits: undefined };

async function openFilled() {
  const { store } = await openTestStore();
  const guild = await store.guilds.set(aGuild(), CHANGE);
  const rows = Array.from({ length: ROWS }, (_, index) =>
    aPastTransaction(guild, { playerId: `p${index % 3}`, createdAtMs: NOON_MS + index }),
  );
  await store.ledger.import(guild, rows);
  /** Reads to the end, with a call of `write` after the first row. Returns the ids of all rows. */
  async function readAround(
    reading: AsyncIterable<DetailedTransaction>,
    write: () => Promise<unknown>,
  ): Promise<string[]> {
    const iterator = reading[Symbol.asyncIterator]();
    const seen: string[] = [];
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      seen.push(next.value.transactionId);
      if (seen.length === 1) {
        await write();
      }
    }
    return seen;
  }
  return { store, guild, ids: rows.map(({ transactionId }) => transactionId), readAround };
}

it('an export of a guild holds what was there when it began, whatever is posted or imported meanwhile', async () => {
  const { store, guild, ids, readAround } = await openFilled();
  const seen = await readAround(store.ledgerViews.readGuild(guild, ALL), async () => {
    await store.ledger.append(aTransaction(guild, { playerId: 'p1' }));
    // Older than everything that is still to come, and of a player who was not there.
    const old = Array.from({ length: 20 }, (_, index) =>
      aPastTransaction(guild, { playerId: 'new', createdAtMs: NOON_MS + index }),
    );
    await store.ledger.import(guild, old);
  });
  expect(seen).toEqual(ids.toReversed());
});

it.each(['amount', 'quantity', 'total', 'createdAt'] as const)(
  'an export of an account by %s holds what was there when it began, each row once',
  async (sortBy) => {
    const { store, guild, readAround } = await openFilled();
    const query = aQuery({ sortBy, sortOrder: 'asc' });
    const before = await Array.fromAsync(store.ledgerViews.read(guild, 'p1', query));
    const seen = await readAround(store.ledgerViews.read(guild, 'p1', query), () =>
      store.ledger.append(aTransaction(guild, { playerId: 'p1' })),
    );
    expect(seen).toEqual(before.map(({ transactionId }) => transactionId));
    expect(new Set(seen).size).toBe(167);
  },
);

/** How many threads of this process yield to others. The 19th field of a thread's status is its niceness. */
function countNiceThreads(): number {
  const threads = readdirSync('/proc/self/task').map((id) =>
    readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' '),
  );
  return threads.filter((fields) => Number(fields[16]) > 0).length;
}

it.runIf(process.platform === 'linux')('exports are read by a thread that yields to all others', async () => {
  const { store, guild } = await openFilled();
  const before = countNiceThreads();
  await Array.fromAsync(store.ledgerViews.readGuild(guild, ALL));
  expect(countNiceThreads()).toBe(before + 1);
});
