import { describe, expect, it } from 'vitest';
import { UNITS_MAX } from '../../src/domain/ledger/amount.ts';
import type { Guild, GuildRef, PastTransaction } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { aPastTransaction, aQuery, aTransaction, domainError, NOON_MS } from './specimens.ts';
import { type CreatePlace, type OpenPlace, shareByGuild } from './store-place.ts';

const PLAYER = '48213977';

/** Past transactions of one account at the given times after noon. */
function pastAt(guild: GuildRef, ...offsets: number[]): PastTransaction[] {
  return offsets.map((offset) => aPastTransaction(guild, { createdAtMs: NOON_MS + offset }));
}

async function accountOf(readLedger: OpenPlace['readLedger'], guild: GuildRef, playerId = PLAYER) {
  const { accounts, transactions } = await readLedger([guild]);
  const isOurs = (row: { playerId: string }) => row.playerId === playerId;
  return { account: accounts.find(isOurs), rows: transactions.filter(isOurs) };
}

async function listed(store: Store, guild: Guild, playerId = PLAYER) {
  return (await store.ledger.list(guild, playerId, aQuery())).transactions;
}

export function describeLedgerImport(createPlace: CreatePlace): void {
  describe('importing past transactions', () => {
    const open = shareByGuild(createPlace);

    it('keeps ids, times and everything else', async () => {
      const { store, guild } = await open();
      const past = [
        aPastTransaction(guild, { createdAtMs: NOON_MS - 5_000, amountUnits: -12_345, quantity: 3 }),
        aPastTransaction(guild, { createdAtMs: NOON_MS, name: ' Ünïcode 🪙 ' }),
      ];
      expect(await store.ledger.import(guild, past)).toEqual(['added', 'added']);
      const shown = past.map(({ guildId: _, playerId: _player, ...rest }) => rest);
      expect(await listed(store, guild)).toEqual(shown);
    });

    it('numbers without gaps and moves balance and count along, in one account with posts', async () => {
      const { store, guild, readLedger } = await open();
      await store.ledger.append(aTransaction(guild, { amountUnits: 7 }));
      await store.ledger.import(
        guild,
        [10, -4].map((amountUnits) =>
          aPastTransaction(guild, { amountUnits, quantity: 2, createdAtMs: NOON_MS + 1 }),
        ),
      );
      const outcome = await store.ledger.append(aTransaction(guild, { amountUnits: 1 }));
      expect(outcome.balanceUnits).toBe(7 + 20 - 8 + 1);
      const { account, rows } = await accountOf(readLedger, guild);
      expect(rows.map((row) => [row.seq, row.balanceAfterUnits])).toEqual([
        [1, 7],
        [2, 27],
        [3, 19],
        [4, 20],
      ]);
      expect(rows.map((row) => row.createdAtMs - NOON_MS)).toEqual([0, 1, 1, 1]);
      expect(account).toMatchObject({ balanceUnits: 20, count: 4 });
    });

    it('appends one of the same time as the last, and refuses an older one with that time', async () => {
      const { store, guild } = await open();
      const past = pastAt(guild, 10, 10, 9, 11, 10);
      expect(await store.ledger.import(guild, past)).toEqual([
        'added',
        'added',
        { refused: "older than the account's last transaction (2026-06-15T12:00:00.010Z)" },
        'added',
        { refused: "older than the account's last transaction (2026-06-15T12:00:00.011Z)" },
      ]);
      expect((await listed(store, guild)).map((one) => one.createdAtMs - NOON_MS)).toEqual([10, 10, 11]);
    });

    it('refuses what is older than a post', async () => {
      const { store, guild } = await open();
      await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS + 5 }));
      const [outcome] = await store.ledger.import(guild, pastAt(guild, 4));
      expect(outcome).toHaveProperty('refused');
      expect(await listed(store, guild)).toHaveLength(1);
    });

    it('takes history from before 1970 into a new account', async () => {
      const { store, guild } = await open();
      const past = [-2, -1, 0].map((createdAtMs) => aPastTransaction(guild, { createdAtMs }));
      expect(await store.ledger.import(guild, past)).toEqual(['added', 'added', 'added']);
      expect(await store.ledger.import(guild, past)).toEqual(['present', 'present', 'present']);
    });

    it('repeated adds nothing, whole, in parts, in any order and with equal times', async () => {
      const { store, guild, readLedger } = await open();
      const past = pastAt(guild, 1, 2, 2, 2, 2, 3, 3, 7, 7, 8);
      await store.ledger.import(guild, past);
      const before = await accountOf(readLedger, guild);
      for (const again of [past, past.slice(3), past.slice(2, 5), past.toReversed(), [...past, ...past]]) {
        expect(new Set(await store.ledger.import(guild, again))).toEqual(new Set(['present']));
      }
      expect(await accountOf(readLedger, guild)).toEqual(before);
    });

    it('repeated after new posts adds nothing, and what was posted counts as present too', async () => {
      const { store, guild } = await open();
      const past = pastAt(guild, 1, 2, 2);
      await store.ledger.import(guild, past);
      for (const offset of [2, 2, 5]) {
        await store.ledger.append(aTransaction(guild, { createdAtMs: NOON_MS + offset }));
      }
      const everything: PastTransaction[] = [];
      for await (const transaction of store.ledger.read(guild)) {
        everything.push(transaction);
      }
      expect(everything).toHaveLength(6);
      expect(new Set(await store.ledger.import(guild, everything))).toEqual(new Set(['present']));
      expect(new Set(await store.ledger.import(guild, past))).toEqual(new Set(['present']));
      expect(await listed(store, guild)).toHaveLength(6);
    });

    it('takes a transaction for a known one by id and time together, the first of an account too', async () => {
      const { store, guild } = await open();
      const past = pastAt(guild, 5, 6, 9);
      await store.ledger.import(guild, past);
      const moved = past.map((one) => ({ ...one, createdAtMs: one.createdAtMs - 1 }));
      const refusal = { refused: "older than the account's last transaction (2026-06-15T12:00:00.009Z)" };
      expect(await store.ledger.import(guild, moved)).toEqual([refusal, refusal, refusal]);
      expect(await store.ledger.import(guild, past)).toEqual(['present', 'present', 'present']);
    });

    it('completes one that was stopped half-way', async () => {
      const { store, guild } = await open();
      const past = pastAt(guild, 1, 2, 2, 2, 3);
      await store.ledger.import(guild, past.slice(0, 3));
      expect(await store.ledger.import(guild, past)).toEqual([
        'present',
        'present',
        'present',
        'added',
        'added',
      ]);
      expect((await listed(store, guild)).map((one) => one.transactionId)).toEqual(
        past.map((one) => one.transactionId),
      );
    });

    it('refuses what would take a balance out of range, and goes on with the rest', async () => {
      const { store, guild } = await open();
      const amounts = [UNITS_MAX, 1, -1, 1, 1];
      const past = amounts.map((amountUnits, index) =>
        aPastTransaction(guild, { amountUnits, createdAtMs: NOON_MS + index }),
      );
      const refusal = { refused: 'the balance would be out of range' };
      expect(await store.ledger.import(guild, past)).toEqual(['added', refusal, 'added', 'added', refusal]);
      const [low] = await store.ledger.import(
        guild,
        [-UNITS_MAX, -1].map((amountUnits) => aPastTransaction(guild, { playerId: 'low', amountUnits })),
      );
      expect(low).toBe('added');
      expect(await listed(store, guild, 'low')).toHaveLength(1);
    });

    it('asks nobody about overdraft: what happened, happened', async () => {
      const { store, guild } = await open({ overdraftAllowed: false });
      const past = [aPastTransaction(guild, { amountUnits: -5 })];
      expect(await store.ledger.import(guild, past)).toEqual(['added']);
      const post = store.ledger.append(aTransaction(guild, { amountUnits: -1 }));
      await expect(post).rejects.toMatchObject(domainError('overdraft'));
    });

    it('takes many accounts in one batch, each with its own order, and answers in the order given', async () => {
      const { store, guild, readLedger } = await open();
      const past = Array.from({ length: 600 }, (_, index) =>
        aPastTransaction(guild, {
          playerId: `p${index % 40}`,
          // Times fall from account to account but rise within each.
          createdAtMs: NOON_MS + Math.floor(index / 40) - (index % 40) * 1_000,
          amountUnits: index + 1,
        }),
      );
      const late = aPastTransaction(guild, { playerId: 'p0', createdAtMs: NOON_MS - 1 });
      const outcomes = await store.ledger.import(guild, [...past, late]);
      expect(outcomes.slice(0, -1).every((outcome) => outcome === 'added')).toBe(true);
      expect(outcomes.at(-1)).toHaveProperty('refused');
      for (const playerId of ['p0', 'p17', 'p39']) {
        const own = past.filter((one) => one.playerId === playerId);
        const { account, rows } = await accountOf(readLedger, guild, playerId);
        expect(rows.map((row) => row.transactionId)).toEqual(own.map((one) => one.transactionId));
        expect(rows.map((row) => row.seq)).toEqual(own.map((_, index) => index + 1));
        const sum = own.reduce((total, one) => total + one.totalUnits, 0);
        expect(account).toMatchObject({ balanceUnits: sum, count: own.length });
      }
    });

    it('keeps guilds apart: one player and one transaction id in two guilds are two of each', async () => {
      const { store, guild, foundAnother } = await open();
      const other = await foundAnother();
      const ours = aPastTransaction(guild);
      const theirs = { ...ours, guildId: other.guildId };
      expect(await store.ledger.import(guild, [ours])).toEqual(['added']);
      expect(await store.ledger.import(other, [theirs])).toEqual(['added']);
      expect(await listed(store, guild)).toHaveLength(1);
    });

    it('is one commit: one that cannot be written leaves nothing of the others', async () => {
      const { store, guild } = await open();
      // A type-correct caller cannot make a store fail half-way.
      const broken = aPastTransaction(guild, { source: null as unknown as string });
      const importing = store.ledger.import(guild, [...pastAt(guild, 0), broken]);
      await expect(importing).rejects.toMatchObject(domainError('internal'));
      expect(await listed(store, guild)).toEqual([]);
    });
  });
}
