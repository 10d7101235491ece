import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  GuildRef,
  ImportOutcome,
  PastTransaction,
  PastUser,
  Verification,
} from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { changeAt } from '../support/change.ts';
import { depth } from '../support/depth.ts';
import { aGuild, aPastTransaction, aTransaction, CHANGE, NOON_MS } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

// Small ranges, so that accounts are taken over, taken back and taken up again.
const CHAT = fc.constantFrom('c1', 'c2', 'c3');
const PLAYER = fc.constantFrom('p1', 'p2', 'p3', 'p4');
const NAME = fc.constantFrom('N1', 'N2');
const STEP = fc.oneof(
  { weight: 6, arbitrary: fc.record({ chatId: CHAT, playerId: PLAYER, username: NAME }) },
  {
    weight: 2,
    arbitrary: fc.record({
      chatId: CHAT,
      playerId: PLAYER,
      username: NAME,
      pastUsers: fc.array(fc.record({ playerId: PLAYER, username: NAME }), { maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ forget: CHAT }) },
);
type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

/** The rules in their plainest form: who is on which account, and everybody's accounts before. */
function createModel() {
  const present = new Map<string, PastUser>();
  const past = new Map<string, PastUser[]>();
  const unique = (users: PastUser[], without?: string) =>
    users.filter(
      (user, index) =>
        user.playerId !== without && users.findIndex((one) => one.playerId === user.playerId) === index,
    );
  return {
    apply(step: Step): void {
      if ('forget' in step) {
        present.delete(step.forget);
        past.delete(step.forget);
        return;
      }
      const { chatId, playerId, username } = step;
      for (const [holder, account] of present) {
        if (account.playerId === playerId && holder !== chatId) {
          present.delete(holder);
          past.set(holder, unique([account, ...(past.get(holder) ?? [])]));
        }
      }
      const before = present.get(chatId);
      const known = [...(before === undefined ? [] : [before]), ...(past.get(chatId) ?? [])];
      past.set(chatId, unique('pastUsers' in step ? step.pastUsers : known, playerId));
      present.set(chatId, { playerId, username });
    },
    read: (): Verification[] =>
      Array.from(present, ([chatId, account]) => ({
        chatId,
        ...account,
        pastUsers: past.get(chatId) ?? [],
      })).sort((a, b) => (a.chatId < b.chatId ? -1 : 1)),
  };
}

const IMPORT_STEP = fc.record({
  isPost: fc.boolean(),
  players: fc.array(
    fc.record({
      playerId: fc.constantFrom('p', 'q'),
      offsetMs: fc.integer({ min: 0, max: 12 }),
      amountUnits: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -9, max: -1 })),
      quantity: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});
type ImportStep = typeof IMPORT_STEP extends fc.Arbitrary<infer Value> ? Value : never;

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

/** Imports and posts as the plan says; returns each imported transaction with its outcome. */
async function run(store: Store, guild: GuildRef, plan: readonly ImportStep[]) {
  const imported: { transaction: PastTransaction; outcome: ImportOutcome | undefined }[] = [];
  let posts = 0;
  for (const { isPost, players } of plan) {
    if (isPost) {
      posts += players.length;
      await Promise.all(
        players.map(({ offsetMs, ...one }) =>
          store.ledger.append(aTransaction(guild, { ...one, createdAtMs: NOON_MS + offsetMs })),
        ),
      );
    } else {
      const batch = players.map(({ offsetMs, ...one }) =>
        aPastTransaction(guild, { ...one, createdAtMs: NOON_MS + offsetMs }),
      );
      const outcomes = await store.ledger.import(guild, batch);
      imported.push(...batch.map((transaction, index) => ({ transaction, outcome: outcomes[index] })));
    }
  }
  return { imported, posts };
}

export function describeHistoryProperties(createPlace: CreatePlace): void {
  let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
  let rounds = 0;
  beforeAll(async () => {
    place = await openPlaceUntilClosed(createPlace);
  });
  afterAll(() => place.close());

  it('any history of verifications ends as the plain rules say', async () => {
    let takeOvers = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 25, size: 'max' }), async (steps) => {
        rounds += 1;
        const { store } = place;
        const model = createModel();
        // Ids of this round only, so that all rounds may share one store.
        const own = <Text extends string>(text: Text) => `${rounds}-${text}`;
        for (const [index, step] of steps.entries()) {
          const named = JSON.parse(JSON.stringify(step), (_, value) =>
            typeof value === 'string' ? own(value) : value,
          ) as Step;
          const heldBefore = model.read().length;
          model.apply(named);
          takeOvers += model.read().length < heldBefore && !('forget' in named) ? 1 : 0;
          if ('forget' in named) {
            await store.verifications.delete(named.forget, changeAt(NOON_MS + index));
          } else {
            await store.verifications.put([named], changeAt(NOON_MS + index));
          }
        }
        const stored = await gather(store.verifications.read());
        expect(stored.filter(({ chatId }) => chatId.startsWith(`${rounds}-`))).toEqual(model.read());
      }),
      { numRuns: depth({ normal: 25, deep: 60 }) },
    );
    expect(takeOvers, 'the histories are only worth something with take-overs in them').toBeGreaterThan(0);
  });

  describe('any imports between any posts', () => {
    it('keep balance, numbering and order right, and importing everything again adds nothing', async () => {
      const seen = { added: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(IMPORT_STEP, { minLength: 1, maxLength: 10 }), async (plan) => {
          rounds += 1;
          const { store } = place;
          const guild = await store.guilds.set(aGuild({ guildId: `import ${rounds}` }), CHANGE);
          const { imported, posts } = await run(store, guild, plan);
          const added = imported.filter(({ outcome }) => outcome === 'added');
          seen.added += added.length;
          seen.refused += imported.length - added.length;

          const everything = await gather(store.ledger.read(guild));
          expect(everything).toHaveLength(posts + added.length);
          expect(everything.map(({ number }) => number)).toEqual(everything.map((_, index) => index + 1));
          const byId = new Map(everything.map(({ number: _number, ...one }) => [one.transactionId, one]));
          for (const { transaction, outcome } of imported) {
            const expected = outcome === 'added' ? transaction : undefined;
            expect(byId.get(transaction.transactionId)).toEqual(expected);
          }
          await expectSound(guild);
          const before = await place.readLedger();
          const repeated = await store.ledger.import(guild, [
            ...everything,
            ...added.map((one) => one.transaction),
          ]);
          expect(repeated.filter((outcome) => outcome !== 'present')).toEqual([]);
          expect(await place.readLedger()).toEqual(before);
        }),
        { numRuns: depth({ normal: 20, deep: 60 }) },
      );
      expect(seen.added).toBeGreaterThan(0);
      expect(seen.refused).toBeGreaterThan(0);
    });

    async function expectSound(guild: GuildRef): Promise<void> {
      const ledger = await place.readLedger([guild]);
      for (const account of ledger.accounts) {
        const rows = ledger.transactions.filter((row) => row.playerId === account.playerId);
        let sum = 0;
        for (const [index, row] of rows.entries()) {
          sum += row.totalUnits;
          expect(row).toMatchObject({ seq: index + 1, balanceAfterUnits: sum });
          expect(row.createdAtMs).toBeGreaterThanOrEqual(rows[index - 1]?.createdAtMs ?? 0);
        }
        expect(account).toMatchObject({ balanceUnits: sum, count: rows.length });
      }
    }
  });
}
