import { expect, it } from 'vitest';
import type { LedgerEntry } from '../../src/domain/ledger/entries.ts';
import { aGuild, aTransaction, CHANGE, refOf } from '../contract/specimens.ts';
import { depth } from '../support/depth.ts';
import { LONG_TEST } from '../support/patience.ts';
import { openOwnStore, openStoreAt } from './store.ts';

const WRITERS = 64;
const ROWS = depth({ normal: 4_000, deep: 50_000 });

it(
  'a follower of the feed sees every transaction once and in order while many write through two instances',
  LONG_TEST,
  async () => {
    const { store: one, database } = await openOwnStore();
    const other = await openStoreAt(database.url);
    const reader = await openStoreAt(database.url);
    const guild = await one.guilds.set(aGuild(), CHANGE);
    let begun = 0;
    let isDone = false;

    async function write(writer: number): Promise<string[]> {
      const store = writer % 2 === 0 ? one : other;
      const posted: string[] = [];
      while (begun < ROWS) {
        begun += 2;
        const pair = [1, -1].map((amountUnits) =>
          aTransaction(guild, { playerId: `${writer % 9}`, amountUnits }),
        );
        // Groups and single posts, mixed.
        const outcomes =
          begun % 4 === 0
            ? await store.ledger.appendGroup({
                guild: refOf(guild),
                transactions: pair,
                idempotency: undefined,
              })
            : await Promise.all(pair.map((transaction) => store.ledger.append(transaction)));
        posted.push(...outcomes.map(({ transactionId }) => transactionId));
      }
      return posted;
    }

    async function follow(): Promise<LedgerEntry[]> {
      const seen: LedgerEntry[] = [];
      for (;;) {
        const wasDone = isDone;
        const after = seen.at(-1)?.number ?? 0;
        const entries = await reader.entries.feed(guild, { after, limit: 1_000 });
        seen.push(...entries);
        if (wasDone && entries.length === 0) {
          return seen;
        }
      }
    }

    const following = follow();
    const posted = (await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))).flat();
    isDone = true;
    const seen = await following;
    expect(seen.map(({ number }) => number)).toEqual(seen.map((_, index) => index + 1));
    expect(new Set(seen.map(({ transactionId }) => transactionId))).toEqual(new Set(posted));
    expect(seen).toHaveLength(posted.length);
  },
);
