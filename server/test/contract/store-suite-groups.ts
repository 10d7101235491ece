import { describe, expect, it } from 'vitest';
import { UNITS_MAX } from '../../src/domain/ledger/amount.ts';
import type { Guild, NewTransaction } from '../../src/domain/model.ts';
import { aTransaction, CHANGE, domainError, refOf } from './specimens.ts';
import { type CreatePlace, shareByGuild } from './store-place.ts';

function aGroup(guild: Guild, changes: Partial<NewTransaction>[], key?: string, requestHash = 'hash') {
  return {
    guild: refOf(guild),
    transactions: changes.map((change) => aTransaction(guild, change)),
    idempotency: key === undefined ? undefined : { key, requestHash },
  };
}

/** Transactions that are appended all together or not at all, and what links them. */
export function describeGroups(createPlace: CreatePlace): void {
  describe('a group', () => {
    const open = shareByGuild(createPlace);

    it('is appended in the order given, with numbers that follow one another', async () => {
      const { store, guild } = await open();
      const group = aGroup(guild, [
        { playerId: 'p', amountUnits: 5 },
        { playerId: 'q', amountUnits: 7 },
        { playerId: 'p', amountUnits: -2 },
      ]);
      const outcomes = await store.ledger.appendGroup(group);
      expect(outcomes).toEqual(
        group.transactions.map(({ transactionId }, index) => ({
          transactionId,
          balanceUnits: [5, 7, 3][index],
          replayed: false,
        })),
      );
      const feed = await store.entries.feed(guild, { after: 0, limit: 10 });
      expect(feed.map(({ transactionId }) => transactionId)).toEqual(
        outcomes.map((one) => one.transactionId),
      );
      expect(feed.map(({ number }) => number)).toEqual([1, 2, 3]);
    });

    it('of which one is refused writes nothing, and says which one it was', async () => {
      const { store, guild, readLedger } = await open({ overdraftAllowed: false });
      await store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: 10 }));
      const before = await readLedger([guild]);
      const overdrawn = store.ledger.appendGroup(
        aGroup(guild, [
          { playerId: 'new', amountUnits: 1, idempotency: { key: 'k', requestHash: 'h' } },
          { playerId: 'p', amountUnits: -10 },
          { playerId: 'p', amountUnits: -1 },
          { playerId: 'p', amountUnits: 5 },
        ]),
      );
      await expect(overdrawn).rejects.toMatchObject({ ...domainError('overdraft'), facts: { position: 2 } });
      const tooLarge = store.ledger.appendGroup(aGroup(guild, [{ playerId: 'p', amountUnits: UNITS_MAX }]));
      await expect(tooLarge).rejects.toMatchObject({
        ...domainError('balance_out_of_range'),
        facts: { position: 0 },
      });
      expect(await readLedger([guild])).toEqual(before);
      const [first] = await store.ledger.appendGroup(
        aGroup(guild, [{ playerId: 'new', idempotency: { key: 'k', requestHash: 'h' } }]),
      );
      expect(first?.replayed, 'a key of a refused group is free').toBe(false);
      expect((await store.entries.feed(guild, { after: 0, limit: 9 })).map(({ number }) => number)).toEqual([
        1, 2,
      ]);
    });

    it('neither undoes what is posted with it nor is undone by it', async () => {
      const { store, guild } = await open({ overdraftAllowed: false });
      const results = await Promise.allSettled([
        store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: 3 })),
        store.ledger.appendGroup(
          aGroup(guild, [
            { playerId: 'p', amountUnits: 4 },
            { playerId: 'q', amountUnits: -1 },
          ]),
        ),
        store.ledger.appendGroup(
          aGroup(guild, [
            { playerId: 'q', amountUnits: 6 },
            { playerId: 'r', amountUnits: 1 },
          ]),
        ),
        store.ledger.append(aTransaction(guild, { playerId: 's', amountUnits: -1 })),
        store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: 2 })),
      ]);
      expect(results[0]?.status).toBe('fulfilled');
      expect(results[2]?.status).toBe('fulfilled');
      expect(results[3]?.status).toBe('rejected');
      expect(results[4]?.status).toBe('fulfilled');
      const accounts = await store.entries.accounts(guild, ['p', 'r', 's']);
      // Which of them came first is for the store to say, so that the second one may have found what the third brought.
      const hasGroup = results[1]?.status === 'fulfilled';
      expect(accounts.map(({ balanceUnits }) => balanceUnits)).toEqual([hasGroup ? 9 : 5, 1, 0]);
    });

    it('with a key gives all of its outcomes again, whatever happened since', async () => {
      const { store, guild } = await open({ overdraftAllowed: false });
      const posts = [
        { playerId: 'p', amountUnits: 5 },
        { playerId: 'q', amountUnits: 7 },
      ];
      const first = await store.ledger.appendGroup(aGroup(guild, posts, 'pay 1'));
      await store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: -5 }));
      const again = await store.ledger.appendGroup(aGroup(guild, posts, 'pay 1'));
      expect(again).toEqual(first.map((outcome) => ({ ...outcome, replayed: true })));
      const other = store.ledger.appendGroup(aGroup(guild, posts, 'pay 1', 'another hash'));
      const mismatch = await other.catch((error) => error);
      expect(mismatch).toMatchObject(domainError('idempotency_mismatch'));
      expect(mismatch.facts, 'the key is that of no single transaction').toBeUndefined();
      const single = store.ledger.append(
        aTransaction(guild, { idempotency: { key: 'pay 1', requestHash: 'of a post' } }),
      );
      await expect(single).rejects.toMatchObject(domainError('idempotency_mismatch'));
      expect(await store.entries.feed(guild, { after: 0, limit: 9 })).toHaveLength(3);
    });

    it('whose items have keys of their own repeats each of them', async () => {
      const { store, guild } = await open();
      const keyed = (key: string, amountUnits: number, requestHash = 'h') => ({
        amountUnits,
        idempotency: { key, requestHash },
      });
      await store.ledger.append(aTransaction(guild, keyed('a', 1)));
      const outcomes = await store.ledger.appendGroup(
        aGroup(guild, [keyed('a', 1), keyed('b', 2), keyed('b', 2)]),
      );
      expect(outcomes.map(({ replayed, balanceUnits }) => [replayed, balanceUnits])).toEqual([
        [true, 1],
        [false, 3],
        [true, 3],
      ]);
      const refused = store.ledger.appendGroup(aGroup(guild, [keyed('c', 1), keyed('b', 9, 'other')]));
      await expect(refused).rejects.toMatchObject({
        ...domainError('idempotency_mismatch'),
        facts: { position: 1 },
      });
      expect(await store.entries.feed(guild, { after: 0, limit: 9 })).toHaveLength(2);
    });
  });

  describe('a reversal', () => {
    const open = shareByGuild(createPlace);

    async function openReversible(changes: Partial<NewTransaction> = {}, settings = {}) {
      const place = await open(settings);
      const { store, guild } = place;
      const original = aTransaction(guild, { playerId: 'p', amountUnits: 5, ...changes });
      await store.ledger.append(original);
      const { transactionId } = original;
      const number = (await store.entries.find(guild, transactionId))?.number ?? 0;
      const reversal = (more: Partial<NewTransaction> = {}) => ({
        playerId: 'p',
        amountUnits: -5,
        extra: { reverses: { number, transactionId } },
        ...more,
      });
      return { ...place, original, reversal };
    }

    it('is linked both ways', async () => {
      const { store, guild, original, reversal } = await openReversible();
      const [outcome] = await store.ledger.appendGroup(aGroup(guild, [reversal()]));
      const reversalId = outcome?.transactionId ?? '';
      const [first, second] = await store.entries.feed(guild, { after: 0, limit: 9 });
      expect([first?.reverses, first?.reversedBy]).toEqual([undefined, reversalId]);
      expect([second?.reverses, second?.reversedBy]).toEqual([original.transactionId, undefined]);
      expect(await store.entries.find(guild, original.transactionId)).toEqual(first);
    });

    it('happens at most once, however many try', async () => {
      const { store, guild, reversal, openAnother } = await openReversible();
      const second = await openAnother();
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? store : second).ledger.appendGroup(aGroup(guild, [reversal()])),
        ),
      );
      const done = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      expect(done).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') {
          expect(result.reason).toMatchObject({
            ...domainError('already_reversed'),
            facts: { position: 0, transactionId: done[0]?.transactionId },
          });
        }
      }
      expect((await store.entries.account(guild, 'p')).balanceUnits).toBe(0);
    });

    it('of the same transaction twice in one group is refused', async () => {
      const { store, guild, reversal } = await openReversible();
      const twice = store.ledger.appendGroup(aGroup(guild, [reversal(), reversal()]));
      await expect(twice).rejects.toMatchObject({
        ...domainError('already_reversed'),
        facts: { position: 1 },
      });
      expect(await store.entries.feed(guild, { after: 1, limit: 9 })).toEqual([]);
    });

    it('respects the floor unless it is forced, and is in the log when a person makes it', async () => {
      const { store, guild, original, reversal } = await openReversible({}, { overdraftAllowed: false });
      await store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: -3 }));
      const refused = store.ledger.appendGroup(aGroup(guild, [reversal()]));
      await expect(refused).rejects.toMatchObject(domainError('overdraft'));
      const forced = reversal({ isForced: true, postedBy: 'chat-1' });
      const [outcome] = await store.ledger.appendGroup(aGroup(guild, [forced]));
      expect(outcome?.balanceUnits).toBe(-3);
      const [entry] = await store.audit.list(guild, { limit: 1 });
      expect(entry).toMatchObject({
        actor: { kind: 'user', id: 'chat-1' },
        subjectKind: 'transaction',
        detail: { after: { reverses: original.transactionId, forced: true } },
      });
    });
  });

  describe('a payment', () => {
    const open = shareByGuild(createPlace);

    it('is found by its id with both sides', async () => {
      const { store, guild, foundAnother } = await open();
      const paymentId = '01890000-0000-7000-8000-00000000000a';
      const extra = { paymentId };
      await store.ledger.appendGroup(
        aGroup(guild, [
          { playerId: 'p', amountUnits: -5, extra },
          { playerId: 'q', amountUnits: 5, extra },
        ]),
      );
      const sides = await store.entries.findPayments(guild, [paymentId]);
      expect(sides.map(({ playerId, paymentId: id }) => [playerId, id])).toEqual([
        ['p', paymentId],
        ['q', paymentId],
      ]);
      expect(await store.entries.findPayments(await foundAnother(), [paymentId])).toEqual([]);
    });
  });

  describe('the floor of an account', () => {
    const open = shareByGuild(createPlace);

    it('counts before the rule of the guild, until it is taken away', async () => {
      const { store, guild } = await open({ overdraftAllowed: false });
      const withdraw = (amountUnits: number) =>
        store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits }));
      const setFloor = (floorUnits: number | undefined) =>
        store.ledger.setFloor(guild, { playerId: 'p', floorUnits }, CHANGE);
      await withdraw(10);
      expect(await setFloor(-5)).toBe(true);
      expect((await withdraw(-15)).balanceUnits).toBe(-5);
      await expect(withdraw(-1)).rejects.toMatchObject(domainError('overdraft'));
      expect((await withdraw(20)).balanceUnits).toBe(15);
      await setFloor(10);
      await expect(withdraw(-6)).rejects.toMatchObject(domainError('overdraft'));
      await setFloor(undefined);
      expect((await withdraw(-15)).balanceUnits).toBe(0);
      await expect(withdraw(-1)).rejects.toMatchObject(domainError('overdraft'));
      const log = await store.audit.list(guild, { limit: 9, subjectKind: 'account' });
      expect(log.map(({ subjectId, detail }) => [subjectId, detail.before, detail.after])).toEqual([
        ['p', { floor: '0.001' }, { floor: null }],
        ['p', { floor: '-0.0005' }, { floor: '0.001' }],
        ['p', { floor: null }, { floor: '-0.0005' }],
      ]);
    });

    it('binds an account where the guild allows overdraft, and only that one', async () => {
      const { store, guild } = await open({ overdraftAllowed: true });
      await store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: 1 }));
      await store.ledger.setFloor(guild, { playerId: 'p', floorUnits: 0 }, CHANGE);
      const over = store.ledger.append(aTransaction(guild, { playerId: 'p', amountUnits: -2 }));
      await expect(over).rejects.toMatchObject(domainError('overdraft'));
      const other = await store.ledger.append(aTransaction(guild, { playerId: 'q', amountUnits: -2 }));
      expect(other.balanceUnits).toBe(-2);
    });

    it('cannot be set where there is no account', async () => {
      const { store, guild } = await open();
      expect(await store.ledger.setFloor(guild, { playerId: 'p', floorUnits: 0 }, CHANGE)).toBe(false);
      expect(await store.audit.list(guild, { limit: 9, subjectKind: 'account' })).toEqual([]);
    });
  });
}
