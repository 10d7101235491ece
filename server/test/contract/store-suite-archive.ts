import { randomUUIDv7 } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyBetween } from '../../src/compose/copy.ts';
import { verifyStore } from '../../src/compose/stores.ts';
import { DAY_MS, dayOf, startOfDayMs } from '../../src/domain/calendar.ts';
import type { LedgerEntry } from '../../src/domain/ledger/entries.ts';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { createFolder } from '../support/folder.ts';
import { archive, CUT_MS, fillLedger, isOld, NOW_MS, PLAYERS, readArchive } from './archive-specimens.ts';
import { aHistoryQuery, aPastTransaction, aQuery, aTransaction, domainError, NOON_MS } from './specimens.ts';
import { type CreatePlace, openWithGuild } from './store-place.ts';

const ALL_DAYS = { since: dayOf(NOON_MS) - 1, until: dayOf(NOW_MS) };

const verify = (databaseUrl: string) => verifyStore({ databaseUrl }, () => {});

/** Everything about a ledger that an archive must not change. */
async function lasting({ ledgerViews, entries }: Store, guild: Guild, sinceMs = CUT_MS) {
  return {
    totals: await ledgerViews.totals(guild),
    days: await ledgerViews.days(guild, ALL_DAYS),
    sources: await ledgerViews.topSources(guild, ALL_DAYS, 20),
    before: await ledgerViews.totalsBefore(guild, startOfDayMs(dayOf(CUT_MS) - 100)),
    largest: await ledgerViews.largestBalances(guild, 10),
    players: await Promise.all(PLAYERS.map((player) => ledgerViews.findPlayer(guild, player))),
    accounts: await entries.accounts(guild, PLAYERS),
    balances: await entries.balances(guild, { sortOrder: 'desc', limit: 10, after: undefined }),
    last: await entries.lastNumber(guild),
    since: await Promise.all(
      PLAYERS.map((player) => ledgerViews.accountSums(guild, player, { sinceMs }, 10)),
    ),
    at: await Promise.all(PLAYERS.map(async (player) => entries.account(guild, player, sinceMs))),
  };
}

const historyOf = async ({ entries }: Store, guild: Guild, more = {}) =>
  (await entries.history(guild, aHistoryQuery({ limit: 1_000, ...more }))).entries;

export function describeArchive(createPlace: CreatePlace): void {
  describe('an archived ledger', () => {
    async function openFilled() {
      const place = await openWithGuild(createPlace);
      await fillLedger(place.store, place.guild);
      return { ...place, folder: createFolder() };
    }

    it('keeps balances, sums and everything since the cut', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const before = await lasting(store, guild);
      const whole = await historyOf(store, guild);
      const years = await archive(databaseUrl, folder);
      expect(years.map(({ year }) => year)).toEqual([2026, 2027]);
      expect(await lasting(store, guild)).toEqual(before);
      expect(await historyOf(store, guild)).toEqual(whole.filter((entry) => !isOld(entry)));
      const times = { sinceMs: NOON_MS, untilMs: NOW_MS };
      const { searchedToMs } = await store.ledgerViews.topPlayers(guild, times, 5);
      expect(searchedToMs).toBe(dayOf(CUT_MS) * DAY_MS);
      // Parts of archived days cannot be added up.
      expect(await store.ledgerViews.countCutDays(guild, [NOON_MS])).toBeUndefined();
      expect(await verify(databaseUrl)).toEqual([]);
      const archived = whole.filter(isOld).reverse();
      expect(readArchive(folder)).toMatchObject(
        archived.map(({ transactionId, number, playerId }) => ({ transactionId, number, playerId })),
      );
    });

    it('lists each account from its first transaction that is not archived, in every order', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const queries = (['createdAt', 'amount', 'quantity', 'total'] as const).flatMap((sortBy) =>
        (['asc', 'desc'] as const).flatMap((sortOrder) =>
          [undefined, 'shop'].map((source) => aQuery({ sortBy, sortOrder, source })),
        ),
      );
      const listAll = () =>
        Promise.all(
          PLAYERS.flatMap((player) => queries.map((query) => store.ledger.list(guild, player, query))),
        );
      const wanted = (await listAll()).map(({ transactions }) => {
        const kept = transactions.filter((row) => !isOld(row));
        return { transactions: kept, total: kept.length };
      });
      // Twice, so that pages are cached.
      await listAll();
      await archive(databaseUrl, folder);
      expect(await listAll()).toEqual(wanted);
      const pages = [1, 2, 3, 9].map((page) => store.ledger.list(guild, 'alder', aQuery({ page, limit: 7 })));
      const rows = (await Promise.all(pages)).flatMap(({ transactions }) => transactions);
      expect(rows).toEqual(wanted[0]?.transactions.slice(0, 21));
      expect((await store.ledgerViews.list(guild, 'dogwood', aQuery())).total).toBe(0);
    });

    it('tells archived transactions from unknown ones', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const whole = await historyOf(store, guild);
      await archive(databaseUrl, folder);
      for (const entry of whole) {
        const { transactionId } = entry;
        expect(await store.entries.isArchived(guild, transactionId)).toBe(isOld(entry));
        expect((await store.entries.find(guild, transactionId)) === undefined).toBe(isOld(entry));
      }
      expect(await store.entries.isArchived(guild, randomUUIDv7())).toBe(false);
      const oldIds = whole.filter(isOld).map(({ number }) => number);
      expect(await store.entries.archivedNumber(guild)).toBe(Math.max(...oldIds));
    });

    it('knows the balance at a time only where nothing later is archived', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const whole = await historyOf(store, guild, { playerId: 'alder' });
      const firstKept = whole.findLast((entry) => !isOld(entry)) as LedgerEntry;
      const lastOld = whole.find(isOld) as LedgerEntry;
      const at = async (atMs: number) => store.entries.account(guild, 'alder', atMs);
      const times = [NOW_MS, firstKept.createdAtMs, firstKept.createdAtMs - 1, lastOld.createdAtMs];
      const before = await Promise.all(times.map(at));
      await archive(databaseUrl, folder);
      expect(await Promise.all(times.map(at))).toEqual(before);
      await expect(at(lastOld.createdAtMs - 1)).rejects.toMatchObject(domainError('archived'));
      const sums = await store.ledgerViews.accountSums(guild, 'alder', {}, 5);
      expect(sums).toMatchObject({
        openingUnits: lastOld.balanceUnits,
        archivedUntilMs: lastOld.createdAtMs,
      });
      const old = await store.ledgerViews.accountSums(guild, 'dogwood', { untilMs: CUT_MS }, 5);
      const { balanceUnits } = await store.entries.account(guild, 'dogwood');
      expect(old).toMatchObject({ openingUnits: balanceUnits, closingUnits: balanceUnits });
    });

    it('goes on with the next numbers, and old cursors and positions end at the archive', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const whole = await historyOf(store, guild);
      await archive(databaseUrl, folder);
      const { entries } = store;
      const first = await entries.feed(guild, { after: 0, limit: 1 });
      expect(first[0]?.number).toBe((await entries.archivedNumber(guild)) + 1);
      for (const more of [{}, { playerId: 'alder' }, { source: 'shop' }]) {
        const page = aHistoryQuery({ ...more, limit: 10, before: 5 });
        expect(await entries.history(guild, page)).toEqual({ entries: [], next: undefined });
      }
      const shop = await historyOf(store, guild, { source: 'shop' });
      expect(shop).toEqual(whole.filter((entry) => entry.source === 'shop' && !isOld(entry)));
      const post = aTransaction(guild, { playerId: 'dogwood', createdAtMs: NOW_MS });
      const { transactionId } = await store.ledger.append(post);
      expect(await entries.find(guild, transactionId)).toMatchObject({ number: whole.length + 1 });
      expect(await store.ledger.list(guild, 'dogwood', aQuery())).toMatchObject({ total: 1 });
      expect(await verify(databaseUrl)).toEqual([]);
    });

    it('keeps the id of an archived transaction that a later one reverses', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const original = (await historyOf(store, guild, { playerId: 'alder' })).findLast(isOld) as LedgerEntry;
      const { number, transactionId, amountUnits, quantity } = original;
      const reversal = aTransaction(guild, {
        playerId: 'alder',
        amountUnits: -amountUnits,
        quantity,
        createdAtMs: NOW_MS,
        extra: { reverses: { number, transactionId } },
      });
      await store.ledger.append(reversal);
      const before = await store.entries.find(guild, reversal.transactionId);
      expect(before?.reverses).toBe(transactionId);
      await archive(databaseUrl, folder);
      expect(await store.entries.find(guild, reversal.transactionId)).toEqual(before);
      expect(await store.ledgerViews.find(guild, reversal.transactionId)).toMatchObject({
        reverses: transactionId,
      });
      expect(await verify(databaseUrl)).toEqual([]);
    });

    it('takes a transaction that is imported again as present', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const whole = await historyOf(store, guild, { playerId: 'dogwood' });
      await archive(databaseUrl, folder);
      const again = whole
        .reverse()
        .map(({ transactionId, amountUnits, quantity, createdAtMs }) =>
          aPastTransaction(guild, { playerId: 'dogwood', transactionId, amountUnits, quantity, createdAtMs }),
        );
      expect(new Set(await store.ledger.import(guild, again))).toEqual(new Set(['present']));
      expect(await verify(databaseUrl)).toEqual([]);
    });

    it('is the same after an interruption at any step, once it is repeated', async () => {
      const reference = await openFilled();
      const steps: string[] = [];
      await archive(reference.databaseUrl, reference.folder, { onStep: (step) => steps.push(step) });
      expect(new Set(steps)).toEqual(new Set(['file', 'finish', 'mark', 'keys', 'rows']));
      const wanted = await lasting(reference.store, reference.guild);
      for (const stopAt of steps.keys()) {
        const place = await openFilled();
        const whole = await historyOf(place.store, place.guild);
        let passed = 0;
        const onStep = () => {
          passed += 1;
          if (passed > stopAt) {
            throw new Error('interrupted');
          }
        };
        await expect(archive(place.databaseUrl, place.folder, { onStep })).rejects.toThrow('interrupted');
        expect(await verify(place.databaseUrl)).toEqual([]);
        await archive(place.databaseUrl, place.folder);
        expect(await verify(place.databaseUrl)).toEqual([]);
        expect(await lasting(place.store, place.guild)).toEqual(wanted);
        expect(await historyOf(place.store, place.guild)).toEqual(whole.filter((entry) => !isOld(entry)));
        expect(readArchive(place.folder).map(({ transactionId }) => transactionId)).toEqual(
          whole
            .filter(isOld)
            .reverse()
            .map(({ transactionId }) => transactionId),
        );
        expect(readdirSync(place.folder).filter((name) => !name.endsWith('.jsonl.gz'))).toEqual([]);
      }
    }, 120_000);

    it('can be archived further, and copied with its marks', async () => {
      const { store, guild, databaseUrl, folder } = await openFilled();
      const whole = await historyOf(store, guild);
      await archive(databaseUrl, folder);
      const lateDay = '2027-08-01';
      await archive(databaseUrl, folder, { before: lateDay });
      const wanted = whole.filter(({ createdAtMs }) => createdAtMs < Date.parse(lateDay));
      expect(readArchive(folder)).toHaveLength(wanted.length);
      expect(await verify(databaseUrl)).toEqual([]);
      const before = await lasting(store, guild, Date.parse(lateDay));
      await store.close();
      const copy = `sqlite:${path.join(createFolder(), 'copy.db')}`;
      await copyBetween(databaseUrl, copy, { onRows: () => {}, onVerify: () => {} });
      const { openStore } = await import('../../src/compose/stores.ts');
      const copied = await openStore({ databaseUrl: copy }, { schema: 'expect', onFatal: () => {} });
      expect(await lasting(copied, guild, Date.parse(lateDay))).toEqual(before);
      expect(await copied.entries.isArchived(guild, wanted[0]?.transactionId ?? '')).toBe(true);
      await copied.close();
    });

    it.each([
      [
        'a day of the archive with a wrong sum',
        'UPDATE guild_day SET deposit_count = deposit_count + 1 WHERE day = $day',
      ],
      ['other sums of the archive', `UPDATE archive SET withdrawal_units = '1'`],
      [
        'an account that misses more',
        `UPDATE account SET archived_count = archived_count + 1 WHERE player_id = 'alder'`,
      ],
      [
        'an empty account that misses less',
        `UPDATE account SET archived_count = 0 WHERE player_id = 'dogwood'`,
      ],
      ['a ledger that misses less', 'UPDATE guild_ledger SET archived_number = archived_number - 1'],
    ])('is found to be damaged with %s', async (_, sql) => {
      const { databaseUrl, folder, execute } = await openFilled();
      await archive(databaseUrl, folder);
      expect(await verify(databaseUrl)).toEqual([]);
      await execute(sql.replace('$day', String(dayOf(NOON_MS))));
      expect(await verify(databaseUrl)).not.toEqual([]);
    });

    it('never divides a payment, and leaves transactions in place in a dry run', async () => {
      const { store, guild, databaseUrl } = await openWithGuild(createPlace);
      const folder = createFolder();
      const startOfCut = dayOf(CUT_MS) * DAY_MS;
      const old = { createdAtMs: startOfCut - 1 };
      await store.ledger.append(aTransaction(guild, { playerId: 'giver', ...old }));
      const extra = { paymentId: randomUUIDv7() };
      await store.ledger.appendGroup({
        guild,
        idempotency: undefined,
        transactions: [
          aTransaction(guild, { playerId: 'giver', amountUnits: -5, ...old, extra }),
          aTransaction(guild, { playerId: 'taker', amountUnits: 5, createdAtMs: startOfCut, extra }),
        ],
      });
      await archive(databaseUrl, folder);
      expect(await store.entries.archivedNumber(guild)).toBe(1);
      expect(await store.entries.findPayments(guild, [extra.paymentId])).toHaveLength(2);
      const other = await openFilled();
      const years = await archive(other.databaseUrl, other.folder, { isDryRun: true });
      expect(years.map(({ year, file }) => [year, file])).toEqual([
        [2026, undefined],
        [2027, undefined],
      ]);
      expect(readdirSync(other.folder)).toEqual([]);
      expect(await other.store.entries.archivedNumber(other.guild)).toBe(0);
    });

    it('takes a year at least, and no transaction whose idempotency key is remembered', async () => {
      const { databaseUrl } = await openWithGuild(createPlace);
      const folder = createFolder();
      const nowMs = Date.parse('2030-06-01T10:00:00Z');
      await expect(archive(databaseUrl, folder, { before: '2029-04-28', nowMs })).rejects.toThrow(
        '--before must be 2029-04-27 or earlier: idempotency keys are remembered for 400 days',
      );
      await expect(archive(databaseUrl, folder, { before: '2029-13-01', nowMs })).rejects.toThrow('--before');
      expect(await archive(databaseUrl, folder, { before: '2029-04-27', nowMs })).toEqual([]);
    });
  });
}
