import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Discharge, type Guild, SORT_ORDERS, type Transfer } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import {
  type DischargeFilter,
  type PageOf,
  RECORD_SORT_KEYS,
} from '../../src/domain/records/record-lists.ts';
import { depth } from '../support/depth.ts';
import { aDischarge, aGuild, aTransfer, CHANGE } from './specimens.ts';
import { type CreatePlace, openPlaceUntilClosed } from './store-place.ts';

const COUNT = 400;
const LISTS = depth({ normal: 300, deep: 3_000 });
/** The records put in one call. The next row after them names a record to delete. */
const PUT_TOGETHER = 6;
const HALF_THE_TIME = { nil: undefined, freq: 2 };

// Few different values, so that most rows tie with others and only the id decides. Among the texts are some that sort
// one way by code points and another way by UTF-16 or by a dictionary, and some whose case is not that of A to Z.
const NAMES = [
  'Rowan',
  'rowan',
  'ROWAN VALE',
  'ÉLODIE',
  'élodie',
  'e\u0301lodie',
  'נור',
  'مريم',
  '🛡 Shield',
  '１ofÅ',
  'İo',
  'ẞ',
  'Σας',
  '%_',
  "o'",
  '~',
];
const TYPES = ['Honourable', 'honourable', '', '🛡', '１', 'é'];
const DATES = [
  '2026-03-01',
  '2026-03-01T00:00:00Z',
  '2026-03-01T01:00:00+01:00',
  '2026-02-28T23:59:59.999Z',
  '2026-03-31T23:59:59.999Z',
  '2026-04-01',
  '1969-12-31',
  '2026-03-04T05:06:07.089Z',
];
const PLAYERS = ['48213977', '482', 'P-É', 'p-é', '🛡'];

const ROW = fc.record({
  name: fc.constantFrom(...NAMES),
  type: fc.constantFrom(...TYPES),
  date: fc.constantFrom(...DATES),
  playerId: fc.constantFrom(...PLAYERS),
  chatId: fc.constantFrom('9001', 'Chat-A', 'chat-a'),
  id: fc.tuple(fc.constantFrom('d', 'D', 'é', '１', '🛡', ''), fc.nat(COUNT)).map((parts) => parts.join('-')),
});

const SEARCHES = [
  'row',
  'ROW',
  'É',
  'é',
  'e\u0301',
  'io',
  'ß',
  'σ',
  'Σ',
  'ς',
  '%',
  '_',
  "'",
  '🛡',
  '1',
  '１',
  '48',
  'chat-',
  'נ',
  'D-1',
  '-',
  'nothing like it',
  'n\u0001',
];
const TIMES = DATES.map((date) => Date.parse(date)).concat(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const QUERY = fc.record({
  search: fc.option(fc.constantFrom(...SEARCHES), HALF_THE_TIME),
  type: fc.option(fc.constantFrom(...TYPES, 'other'), HALF_THE_TIME),
  range: fc.oneof(
    fc.constant({ sinceMs: Number.MIN_SAFE_INTEGER, untilMs: Number.MAX_SAFE_INTEGER }),
    fc.record({ sinceMs: fc.constantFrom(...TIMES), untilMs: fc.constantFrom(...TIMES) }),
  ),
  sortBy: fc.constantFrom(...RECORD_SORT_KEYS),
  sortOrder: fc.constantFrom(...SORT_ORDERS),
  limit: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constantFrom(1, 7, 100)),
});
type Query = DischargeFilter & Omit<PageOf, 'page'>;

/** Sigma has two lower cases; a search takes them for one. */
const folded = (text: string) => text.toLowerCase().replaceAll('ς', 'σ');
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** The model of a list: filter, sort by value and then by id, cut. */
function matching<Item extends Discharge | Transfer>(items: Iterable<Item>, query: Query): Item[] {
  const { search, type, range, sortBy, sortOrder } = query;
  const textsOf = (item: Item) => [
    item.id,
    item.playerId,
    item.name,
    ...('chatId' in item ? [item.chatId] : []),
  ];
  const ascending = [...items]
    .filter(
      (item) => search === undefined || textsOf(item).some((text) => folded(text).includes(folded(search))),
    )
    .filter((item) => type === undefined || !('type' in item) || item.type === type)
    .filter((item) => Date.parse(item.date) >= range.sinceMs && Date.parse(item.date) < range.untilMs)
    .sort(
      (a, b) =>
        (sortBy === 'date'
          ? Date.parse(a.date) - Date.parse(b.date)
          : byBytes(a.name.toLowerCase(), b.name.toLowerCase())) || byBytes(a.id, b.id),
    );
  return sortOrder === 'asc' ? ascending : ascending.reverse();
}

interface World {
  discharges: Map<string, Discharge>;
  transfers: Map<string, Transfer>;
}

/** Puts records, changes some and deletes some, and keeps the same in plain data. */
async function fill(store: Store, guild: Guild, seed: number): Promise<World> {
  const world: World = { discharges: new Map(), transfers: new Map() };
  // The same rows in every run, so that a counterexample's seed is enough to see it again.
  const rows = fc.sample(ROW, { numRuns: COUNT, seed });
  for (let first = 0; first < COUNT; first += PUT_TOGETHER + 1) {
    const put = rows.slice(first, first + PUT_TOGETHER);
    const discharges = put.map((row) => aDischarge(guild, row));
    const transfers = put.map(({ chatId: _chat, type: _type, date, ...rest }) =>
      aTransfer(guild, { ...rest, date: new Date(date).toISOString() }),
    );
    await store.discharges.put(guild, discharges, CHANGE);
    await store.transfers.put(guild, transfers, CHANGE);
    for (const one of discharges) world.discharges.set(one.id, one);
    for (const one of transfers) world.transfers.set(one.id, one);
    // Of those before it, some still have its id.
    const deleted = rows[first + PUT_TOGETHER]?.id ?? '';
    await store.discharges.delete(guild, deleted, CHANGE);
    await store.transfers.delete(guild, deleted, CHANGE);
    world.discharges.delete(deleted);
    world.transfers.delete(deleted);
  }
  return world;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

export function describeRecordProperties(createPlace: CreatePlace): void {
  describe('any list of records', () => {
    let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
    let guild: Guild;
    let world: World;

    beforeAll(async () => {
      place = await openPlaceUntilClosed(createPlace);
      guild = await place.store.guilds.set(aGuild(), CHANGE);
      const other = await place.store.guilds.set(aGuild({ guildId: 'other' }), CHANGE);
      world = await fill(place.store, guild, 20_260_615);
      // Noise right beside it, which must never show.
      await fill(place.store, other, 4_711);
    });
    afterAll(() => place.close());

    it('is what filtering, sorting and cutting by hand gives', async () => {
      const { discharges, transfers } = place.store;
      let pagesWithRows = 0;
      await fc.assert(
        fc.asyncProperty(QUERY, fc.boolean(), fc.nat(), async (shape, isDischarge, pick) => {
          const { type: _type, ...withoutType } = shape;
          const expected = isDischarge
            ? matching(world.discharges.values(), shape)
            : matching(world.transfers.values(), shape);
          // Any page there is, and two past the end.
          const page = 1 + (pick % (Math.ceil(expected.length / shape.limit) + 2));
          const cut = expected.slice((page - 1) * shape.limit, page * shape.limit);
          pagesWithRows += cut.length > 0 ? 1 : 0;
          const listed = isDischarge
            ? await discharges.list(guild, { ...shape, page })
            : await transfers.list(guild, { ...withoutType, page });
          expect(listed).toEqual({ records: cut, total: expected.length });
        }),
        { numRuns: LISTS },
      );
      // A comparison of empty pages with empty pages would prove nothing.
      expect(pagesWithRows).toBeGreaterThan(LISTS / 4);
    });

    it('reads out as a whole in the order of its pages', async () => {
      const { discharges, transfers } = place.store;
      await fc.assert(
        fc.asyncProperty(QUERY, async (query) => {
          const { type: _type, ...withoutType } = query;
          expect(await collect(discharges.readMatching(guild, query))).toEqual(
            matching(world.discharges.values(), query),
          );
          expect(await collect(transfers.readMatching(guild, withoutType))).toEqual(
            matching(world.transfers.values(), withoutType as Query),
          );
        }),
        { numRuns: depth({ normal: 20, deep: 100 }) },
      );
    });
  });
}
