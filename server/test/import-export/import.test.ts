import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Guild } from '../../src/domain/model.ts';
import type { Store } from '../../src/domain/ports.ts';
import { type ImportOptions, importRecords } from '../../src/import-export/import.ts';
import { readNdjson } from '../../src/import-export/lines.ts';
import {
  aCommand,
  aDischarge,
  aGuild,
  aPastTransaction,
  aTransfer,
  CHANGE,
  domainError,
} from '../contract/specimens.ts';
import { createSqlitePlace } from '../contract/sqlite-place.ts';
import { openPlaceUntilClosed } from '../contract/store-place.ts';
import { testIds } from '../support/ids.ts';
import { bytesOf, gather, gatherGroups } from './byte-source.ts';

let place: Awaited<ReturnType<typeof openPlaceUntilClosed>>;
let store: Store;
let guild: Guild;
beforeAll(async () => {
  place = await openPlaceUntilClosed(createSqlitePlace);
  store = place.store;
});
afterAll(() => place.close());
beforeEach(async () => {
  guild = await store.guilds.set(aGuild({ guildId: testIds.uuid() }), CHANGE);
});

type Options = Partial<Omit<ImportOptions, 'items'>>;

/** Imports values, one a line; a text goes in as it is. */
async function importLines(values: readonly unknown[], options: Options = {}) {
  const lines = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const items = readNdjson(bytesOf(lines.join('\n')));
  return gatherGroups(importRecords({ store, kind: 'discharges', change: CHANGE, ...options, items }));
}

async function outcomes(values: readonly unknown[], options: Options = {}) {
  return (await importLines(values, options)).map(({ outcome }) => outcome);
}

const without = (record: object, field: string) => ({ ...record, [field]: undefined });

describe('an import', () => {
  it('tells of each record what became of it, with line and text, in their order', async () => {
    await store.discharges.put(
      guild,
      [aDischarge(guild, { id: 'a' }), aDischarge(guild, { id: 'b' })],
      CHANGE,
    );
    const records = [
      aDischarge(guild, { id: 'b', name: 'Other' }),
      aDischarge(guild, { id: 'c' }),
      aDischarge(guild, { id: 'a' }),
    ];
    expect(await importLines(records)).toEqual([
      { line: 1, text: JSON.stringify(records[0]), outcome: 'updated' },
      { line: 2, text: JSON.stringify(records[1]), outcome: 'created' },
      { line: 3, text: JSON.stringify(records[2]), outcome: 'unchanged' },
    ]);
  });

  it('a bad line does not stop the rest, and says what is wrong with it', async () => {
    const good = (id: string) => aDischarge(guild, { id });
    const results = await importLines([
      good('1'),
      'not json',
      without(good('2'), 'date'),
      '',
      { ...good('3'), name: ' ' },
      { ...good('4'), date: '2026-02-30' },
      [],
      good('5'),
    ]);
    expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
      [1, 'created'],
      [2, { rejected: 'the text is not JSON' }],
      [3, { rejected: 'date is missing' }],
      [
        5,
        {
          rejected: 'name must be text of 1 to 256 characters without control characters or direction marks',
        },
      ],
      [6, { rejected: 'date must be a date such as 2027-01-31 or 2027-01-31T18:00:00Z' }],
      [7, { rejected: 'the record must be an object' }],
      [8, 'created'],
    ]);
    expect(await store.discharges.find(guild, '5')).toBeDefined();
  });

  it('keeps order and outcomes right where guilds, good and bad records alternate', async () => {
    const other = await store.guilds.set(aGuild({ guildId: testIds.uuid() }), CHANGE);
    await store.discharges.put(other, [aDischarge(other, { id: '2' })], CHANGE);
    const records = Array.from({ length: 12 }, (_, index) =>
      index % 3 === 2 ? 'bad' : aDischarge(index % 2 === 0 ? guild : other, { id: `${index % 4}` }),
    );
    const bad = { rejected: 'the text is not JSON' };
    expect(await outcomes(records)).toEqual([
      'created',
      'created',
      bad,
      'created',
      'unchanged',
      bad,
      'created',
      'unchanged',
      bad,
      'unchanged',
      'unchanged',
      bad,
    ]);
  });

  it('a guild that does not exist, and none at all, are faults of the record', async () => {
    expect(
      await outcomes([
        { ...aDischarge(guild), guildId: 'nowhere' },
        without(aDischarge(guild), 'guildId'),
        aDischarge(guild),
      ]),
    ).toEqual([
      { rejected: 'there is no such guild' },
      { rejected: 'guildId is missing, and no guild was named for all' },
      'created',
    ]);
  });

  it('with a guild for all takes records without one, and refuses those of another', async () => {
    const other = await store.guilds.set(aGuild({ guildId: testIds.uuid() }), CHANGE);
    const results = await outcomes(
      [
        without(aTransfer(guild, { id: '1' }), 'guildId'),
        aTransfer(guild, { id: '2' }),
        aTransfer(other, { id: '3' }),
      ],
      { kind: 'transfers', guildId: guild.guildId },
    );
    expect(results).toEqual([
      'created',
      'created',
      { rejected: 'the record belongs to another guild than the one named' },
    ]);
    expect((await store.transfers.find(guild, '1'))?.guildId).toBe(guild.guildId);
    expect(await store.transfers.find(other, '3')).toBeUndefined();
  });

  it('fields that nobody knows make no difference the second time either', async () => {
    const record = { ...aDischarge(guild), comment: 'from the old system' };
    expect(await outcomes([record])).toEqual(['created']);
    expect(await outcomes([record])).toEqual(['unchanged']);
  });

  it('takes a transfer’s time in any offset and the same moment as unchanged', async () => {
    const at = (date: string) => [aTransfer(guild, { date })];
    expect(await outcomes(at('2026-05-02T20:22:05+02:00'), { kind: 'transfers' })).toEqual(['created']);
    expect(await outcomes(at('2026-05-02T18:22:05Z'), { kind: 'transfers' })).toEqual(['unchanged']);
  });

  it('is written by the actor given, with the time given', async () => {
    const change = {
      actor: { kind: 'bot', id: 'importer' } as const,
      atMs: Date.parse('2027-03-01T12:00:00Z'),
    };
    await importLines([aDischarge(guild)], { change });
    const [entry] = await store.audit.list(guild, { limit: 1 });
    expect(entry).toMatchObject({ actor: change.actor, createdAtMs: change.atMs, subjectId: 'D-1' });
  });
});

describe('an import of transactions', () => {
  const line = (changes: Record<string, unknown> = {}) => {
    const { amountUnits: _, totalUnits: _total, createdAtMs, ...rest } = aPastTransaction(guild);
    return { ...rest, amount: 1.5, createdAt: new Date(createdAtMs).toISOString(), ...changes };
  };
  const run = (...lines: unknown[]) => outcomes(lines, { kind: 'transactions' });

  it('keeps amounts exact, and checks a total that is given', async () => {
    const results = await run(
      line({ amount: 0.1, quantity: 3, total: 0.3 }),
      line({ amount: 549755813887.0001 }),
      line({ amount: 2, quantity: 2, total: 5 }),
    );
    expect(results).toEqual(['created', 'created', { rejected: 'total must be amount times quantity' }]);
    const [first, second] = await gather(store.ledger.read(guild));
    expect([first?.totalUnits, second?.amountUnits]).toEqual([3_000, 5_497_558_138_870_001]);
  });

  it('refuses zero, a fifth decimal, what is out of range or order, and the future beyond a minute, in words', async () => {
    expect(
      await run(
        line(),
        line({ amount: 0 }),
        line({ amount: 0.00001 }),
        line({ amount: 1e15 }),
        line({ amount: 5e11, quantity: 5 }),
        line({ quantity: 0 }),
        line({ transactionId: 'x' }),
        line({ createdAt: '2020-01-01T00:00:00Z' }),
        line({ createdAt: '2026-06-15T12:01:00.001Z' }),
        line({ createdAt: '2026-06-15T12:01:00.000Z' }),
      ),
    ).toEqual([
      'created',
      { rejected: 'amount must not be zero' },
      { rejected: 'amount must have at most 4 decimal places' },
      { rejected: 'amount is out of range' },
      { rejected: 'amount times quantity is out of range' },
      { rejected: 'quantity must be an integer of at least 1' },
      { rejected: 'transactionId must be a UUID in lower case' },
      { rejected: "older than the account's last transaction (2026-06-15T12:00:00.000Z)" },
      { rejected: 'createdAt lies in the future' },
      'created',
    ]);
  });
});

describe('an import of commands', () => {
  const run = (...lines: unknown[]) => outcomes(lines, { kind: 'commands' });
  const names = async () => (await store.commands.list()).map(({ name }) => name);

  it('replaces the whole catalogue, but never with nothing', async () => {
    await store.commands.replace([aCommand({ name: 'old' })], CHANGE);
    expect(await run(aCommand({ name: 'b' }), aCommand({ name: 'a' }))).toEqual(['updated', 'updated']);
    expect(await names()).toEqual(['b', 'a']);
    await expect(run()).rejects.toMatchObject(domainError('invalid_input'));
    expect(await names()).toEqual(['b', 'a']);
  });

  it('with a bad command leaves the catalogue as it was: it is replaced as a whole or not at all', async () => {
    await store.commands.replace([aCommand({ name: 'old' })], CHANGE);
    const results = await run(aCommand({ name: 'new' }), 'not json');
    expect(results.map((outcome) => typeof outcome)).toEqual(['object', 'object']);
    expect(await names()).toEqual(['old']);
    await run('id,name');
    expect(await names()).toEqual(['old']);
  });

  it('of more than can be kept is refused as a whole', async () => {
    await store.commands.replace([aCommand({ name: 'old' })], CHANGE);
    const many = Array.from({ length: 2_001 }, (_, index) => aCommand({ name: `${index}` }));
    await expect(run(...many)).rejects.toMatchObject(domainError('invalid_input'));
    expect(await names()).toEqual(['old']);
    expect(await run(...many.slice(1))).toHaveLength(2_000);
  });
});

describe('an import of verifications', () => {
  it('without past accounts keeps those that follow from what was known', async () => {
    const chatId = testIds.uuid();
    const person = (playerId: string) => ({
      chatId,
      playerId: `${chatId}-${playerId}`,
      username: `u${playerId}`,
    });
    const run = (...people: unknown[]) => outcomes(people, { kind: 'verifications' });
    expect(await run(person('1'), person('2'), person('2'))).toEqual(['created', 'updated', 'unchanged']);
    expect(await store.verifications.find(['chat'], chatId)).toEqual({
      ...person('2'),
      pastUsers: [{ playerId: `${chatId}-1`, username: 'u1' }],
    });
  });
});
