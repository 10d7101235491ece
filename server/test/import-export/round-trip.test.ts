import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GuildRef } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { exportRecords, FORMATS, type Format } from '../../src/import-export/export.ts';
import { importRecords } from '../../src/import-export/import.ts';
import { KIND_NAMES, type KindName } from '../../src/import-export/kinds.ts';
import { readSource } from '../../src/import-export/source.ts';
import { aGuild, CHANGE } from '../contract/specimens.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { openPlaceUntilClosed } from '../contract/store-place.ts';
import { depth } from '../support/depth.ts';
import { bytesOf, CUTS, cutAt, gather, gatherGroups } from './byte-source.ts';
import { COMMANDS, DISCHARGES, TRANSACTIONS, TRANSFERS, VERIFICATIONS } from './random-records.ts';

/** Makes a few records of each kind. */
const SEED_OF_SOME = 3;

type OpenedPlace = Awaited<ReturnType<typeof openPlaceUntilClosed>>;
let places: [OpenedPlace, OpenedPlace];
beforeAll(async () => {
  places = [await openPlaceUntilClosed(createSqlitePlace), await openPlaceUntilClosed(createSqlitePlace)];
});
afterAll(() => Promise.all(places.map((place) => place.close())));

type Fill = (store: Store, guild: GuildRef) => Promise<unknown>;

/** Random content of a store, one kind at a time. */
const FILLS: Record<KindName, fc.Arbitrary<Fill>> = {
  discharges: DISCHARGES.map(
    (records): Fill =>
      (store, { guildNo, guildId }) =>
        store.discharges.put(
          { guildNo, guildId },
          records.map((one) => ({ ...one, guildId })),
          CHANGE,
        ),
  ),
  transfers: TRANSFERS.map(
    (records): Fill =>
      (store, { guildNo, guildId }) =>
        store.transfers.put(
          { guildNo, guildId },
          records.map((one) => ({ ...one, guildId })),
          CHANGE,
        ),
  ),
  verifications: VERIFICATIONS.map(
    (people): Fill =>
      (store) =>
        store.verifications.put(people, CHANGE),
  ),
  commands: COMMANDS.map(
    (commands): Fill =>
      (store) =>
        store.commands.replace(commands, CHANGE),
  ),
  transactions: TRANSACTIONS.map(
    (all): Fill =>
      (store, guild) =>
        store.ledger.import(
          guild,
          all.map((one) => ({ ...one, guildId: guild.guildId })),
        ),
  ),
};

/** Deletes the data that belong to no guild. A new guild has no data to delete. */
async function empty({ store, execute }: OpenedPlace): Promise<void> {
  await store.commands.replace([], CHANGE);
  await execute('DELETE FROM past_user; DELETE FROM verification');
}

async function exportText(store: Store, kind: KindName, format: Format, guild: GuildRef): Promise<string> {
  return (await gather(exportRecords({ store, kind, format, guild }))).join('');
}

describe.each(KIND_NAMES)('%s', (kind) => {
  it.each(FORMATS)(
    'exported as %s and imported into an empty store are exported to the same bytes',
    async (format) => {
      let round = 0;
      let records = 0;
      await fc.assert(
        fc.asyncProperty(FILLS[kind], CUTS, async (fill, cuts) => {
          round += 1;
          await Promise.all(places.map(empty));
          const [one, other] = [places[0].store, places[1].store];
          const guildId = `${kind} ${format} ${round}`;
          const from = await one.guilds.set(aGuild({ guildId }), CHANGE);
          const to = await other.guilds.set(aGuild({ guildId }), CHANGE);
          await fill(one, from);
          const exported = await exportText(one, kind, format, from);

          const run = async () => {
            const items = readSource(bytesOf(...cutAt(Buffer.from(exported), cuts)), format, kind);
            const results = await gatherGroups(importRecords({ store: other, kind, items, change: CHANGE }));
            return results.map(({ outcome }) => outcome);
          };
          const outcomes = await run();
          records += outcomes.length;
          expect(outcomes.filter((outcome) => outcome !== 'created')).toEqual([]);
          expect(await exportText(other, kind, format, to)).toBe(exported);
          expect(
            (await run()).filter((outcome) => outcome !== 'unchanged'),
            'a second time',
          ).toEqual([]);
        }),
        {
          numRuns: depth({ normal: 6, deep: 15 }),
          // With records in it, as random fills may happen not to be.
          examples: fc.sample(fc.tuple(FILLS[kind], CUTS), { numRuns: 1, seed: SEED_OF_SOME }),
        },
      );
      expect(records).toBeGreaterThan(0);
    },
  );
});

describe('an export', () => {
  it('is laid out for people: an array with a record a line, lines, or a header and rows', async () => {
    const { store } = places[0];
    const guild = await store.guilds.set(aGuild({ guildId: 'layout' }), CHANGE);
    const transaction = {
      guildId: 'layout',
      playerId: 'p',
      transactionId: '01890000-0000-7000-8000-000000000000',
      amountUnits: 5_497_558_138_880_001,
      quantity: 1,
      totalUnits: 5_497_558_138_880_001,
      name: 'a "b"',
      source: 's',
      createdAtMs: 0,
    };
    await store.ledger.import(guild, [
      { ...transaction, reference: 'order 7', metadata: { a: '1', b: '' } },
      {
        ...transaction,
        transactionId: `${transaction.transactionId.slice(0, -1)}1`,
        amountUnits: -5,
        totalUnits: -5,
      },
    ]);
    const lines = [
      '{"guildId":"layout","playerId":"p","transactionId":"01890000-0000-7000-8000-000000000000",' +
        '"amount":549755813888.0001,"quantity":1,"name":"a \\"b\\"","source":"s","total":549755813888.0001,' +
        '"createdAt":"1970-01-01T00:00:00.000Z","number":1,"reference":"order 7","metadata":{"a":"1","b":""}}',
      '{"guildId":"layout","playerId":"p","transactionId":"01890000-0000-7000-8000-000000000001",' +
        '"amount":-0.0005,"quantity":1,"name":"a \\"b\\"","source":"s","total":-0.0005,' +
        '"createdAt":"1970-01-01T00:00:00.000Z","number":2}',
    ];
    const text = (format: Format) => exportText(store, 'transactions', format, guild);
    expect(await text('ndjson')).toBe(`${lines.join('\n')}\n`);
    expect(await text('json')).toBe(`[\n${lines.join(',\n')}\n]\n`);
    expect(await text('csv')).toBe(
      'guildId,playerId,transactionId,amount,quantity,name,source,total,createdAt,number,reference,metadata,paymentId,' +
        'reverses\r\n' +
        'layout,p,01890000-0000-7000-8000-000000000000,549755813888.0001,1,"a ""b""",s,549755813888.0001,' +
        '1970-01-01T00:00:00.000Z,1,order 7,"{""a"":""1"",""b"":""""}",,\r\n' +
        'layout,p,01890000-0000-7000-8000-000000000001,-0.0005,1,"a ""b""",s,-0.0005,1970-01-01T00:00:00.000Z,2,,,,' +
        '\r\n',
    );
  });

  it('of nothing is still a whole document', async () => {
    const { store } = places[0];
    const guild = await store.guilds.set(aGuild({ guildId: 'empty' }), CHANGE);
    expect(await exportText(store, 'transfers', 'json', guild)).toBe('[\n]\n');
    expect(await exportText(store, 'transfers', 'ndjson', guild)).toBe('');
    expect(await exportText(store, 'transfers', 'csv', guild)).toBe(
      'id,guildId,playerId,name,date,from,to,signed\r\n',
    );
  });
});
