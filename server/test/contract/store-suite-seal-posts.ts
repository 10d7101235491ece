import { randomUUIDv7 } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Guild, NewTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { sealerOf, unguarded } from './seal-specimens.ts';
import { aKey, aTransaction, CHANGE } from './specimens.ts';
import { type CreatePlace, openWithGuild, shareByGuild } from './store-place.ts';
import { expectWhole, importMany } from './store-suite-seals.ts';

/** A key as posts name it. */
async function makeKey(store: Store, guild: Guild) {
  const key = aKey(guild);
  await store.keys.insert(key, CHANGE);
  return { keyNo: (await store.keys.findByHash(key.hash))?.keyNo, keyId: key.keyId };
}

/** PostgreSQL keeps posts only of guilds that have as many transactions as this between two seals. */
const MANY = 300;

type Key = Awaited<ReturnType<typeof makeKey>>;

/** On PostgreSQL, or everywhere, the sealer reads the rows of these. */
function postsThatAreRead(guild: Guild, { keyNo }: Key): NewTransaction[] {
  return [
    // A key that is known by its number alone, as in posts of a store's own caller.
    aTransaction(guild, { keyNo: keyNo, playerId: 'another "player"' }),
    aTransaction(guild, { postedBy: 'chat-7', source: 'dashboard', extra: { metadata: { corrects: 'x' } } }),
  ];
}

/** Posts of every kind, by a key, by a person and by nobody. */
export async function postAll(store: Store, guild: Guild, kinds: 'all' | 'noted' = 'all'): Promise<void> {
  const { lastNumber } = await store.seals.state(guild);
  const key = await makeKey(store, guild);
  const first = aTransaction(guild, { ...key, amountUnits: 1_234_567, quantity: 3 });
  const isReversed = { number: lastNumber + 1, transactionId: first.transactionId };
  const posts: NewTransaction[] = [
    first,
    ...(kinds === 'all' ? postsThatAreRead(guild, key) : []),
    aTransaction(guild, { ...key, amountUnits: -1, createdAtMs: 0, extra: { reference: 'late' } }),
    aTransaction(guild, { ...key, amountUnits: -1_234_567, quantity: 3, extra: { reverses: isReversed } }),
    aTransaction(guild, { idempotency: { key: `once ${lastNumber}`, requestHash: 'h' } }),
  ];
  for (const post of posts) {
    await store.ledger.append(post);
  }
  // A repeat is no transaction.
  await store.ledger.append(
    aTransaction(guild, { idempotency: { key: `once ${lastNumber}`, requestHash: 'h' } }),
  );
  const paymentId = randomUUIDv7();
  const transactions = [-5, 5].map((amountUnits) =>
    aTransaction(guild, { ...key, amountUnits, playerId: `side ${amountUnits}`, extra: { paymentId } }),
  );
  await store.ledger.appendGroup({
    guild,
    transactions,
    idempotency: { key: `pay ${lastNumber}`, requestHash: 'h' },
  });
}

/** Logs that are sealed while their posts are in memory, and logs of rows that were read. */
export function describeSealedPosts(createPlace: CreatePlace): void {
  describe('the sealed log of posts', () => {
    const open = shareByGuild(createPlace);

    it('has all of their facts, whether the process that seals has posted them or not', async () => {
      const { store, foundAnother, openAnother } = await open();
      const elsewhere = await openAnother();
      for (const sealing of [store, elsewhere]) {
        const guild = await foundAnother();
        const sealer = sealerOf(sealing);
        // Before that no process seals the guild, and none keeps hashes for it.
        await postAll(store, guild);
        await sealer.seal();
        await postAll(store, guild);
        await sealer.seal();
        await expectWhole(sealing, sealer, guild);
        expect(sealer.problems).toEqual([]);
      }
    });

    it('has the posts of two processes in the order of their numbers', async () => {
      const { store, guild, openAnother } = await open();
      const elsewhere = await openAnother();
      const sealer = sealerOf(store);
      await importMany(store, guild, MANY);
      await sealer.seal();
      for (let round = 0; round < 3; round += 1) {
        for (const poster of [store, elsewhere, store]) {
          await Promise.all(
            Array.from({ length: MANY / 3 }, (_, index) =>
              poster.ledger.append(aTransaction(guild, { playerId: `player ${index % 3}` })),
            ),
          );
        }
        await sealer.seal();
      }
      await expectWhole(store, sealer, guild);
      expect(sealer.problems).toEqual([]);
    });

    it('has the rows of others that got the numbers of lost posts, as after the failure of a database server', async () => {
      const { store, guild, openAnother, execute, databaseUrl } = await openWithGuild(createPlace);
      const sealer = sealerOf(store);
      await importMany(store, guild, MANY);
      await sealer.seal();
      for (const name of ['stays', 'lost', 'lost, too']) {
        await store.ledger.append(aTransaction(guild, { name, playerId: `player of ${name}` }));
      }
      await execute(
        unguarded(
          databaseUrl,
          `DELETE FROM ledger_transaction WHERE number > ${MANY + 1}; DELETE FROM account WHERE player_id LIKE 'player of lost%';
           UPDATE guild_ledger SET last_number = ${MANY + 1}`,
        ),
      );
      const elsewhere = await openAnother();
      for (const poster of [elsewhere, elsewhere, store, elsewhere]) {
        await poster.ledger.append(aTransaction(guild));
      }
      await importMany(elsewhere, guild, MANY);
      await sealer.seal();
      await expectWhole(store, sealer, guild);
      expect(sealer.problems).toEqual([]);
    });

    it('has no posts that were rolled back', async () => {
      const { store, guild } = await open();
      const post = (name: string) => store.ledger.append(aTransaction(guild, { name }));
      const sealer = sealerOf(store);
      await importMany(store, guild, MANY);
      await sealer.seal();
      await post('before');
      const undone = store.allOrNothing(async () => {
        await post('undone');
        await post('undone, too');
        throw new Error('the work failed');
      });
      await expect(undone).rejects.toThrow('the work failed');
      await store.allOrNothing(() => post('kept'));
      await post('after');
      await importMany(store, guild, MANY);
      await sealer.seal();
      await expectWhole(store, sealer, guild);
    });
  });
}
