import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import { parseDatabaseUrl } from '../../src/store/postgres/connection.ts';
import { openPostgresStore } from '../../src/store/postgres/open.ts';
import { verifyPostgres } from '../../src/store/postgres/verify.ts';
import { fillStore } from '../store/full-store.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { REAL_TIME } from './store.ts';

let healthy: TestDatabase;
beforeAll(async () => {
  healthy = await createDatabase();
  const store = await openPostgresStore({ url: healthy.url, clock: REAL_TIME });
  await fillStore(store);
  await store.close();
});
afterAll(() => healthy.remove());

const verify = ({ url }: TestDatabase) => verifyPostgres(parseDatabaseUrl(url), () => {});

async function copyHealthy(): Promise<TestDatabase> {
  const copy = await createDatabase({ template: healthy.name });
  onTestFinished(copy.remove);
  return copy;
}

/** Disables the triggers of a table, which would refuse the damage. */
const unguarded = (table: string) => `ALTER TABLE ${table} DISABLE TRIGGER ALL;`;

const P = "(SELECT account_no FROM account WHERE player_id = 'p')";
const WRONG_DAY = [
  'guild 100200300 on 2026-06-15: its sums are not those of its transactions',
  'guild 100200300 on 2026-06-15: the sums of source shop are not those of its transactions',
];

it('a healthy store has no faults, nor has a new one', async () => {
  expect(await verify(healthy)).toEqual([]);
  const fresh = await createDatabase();
  onTestFinished(fresh.remove);
  expect(await verify(fresh)).toEqual([]);
});

it('tells how far it is, up to the last transaction', async () => {
  const states: { done: number; total: number }[] = [];
  await verifyPostgres(parseDatabaseUrl(healthy.url), (state) => states.push(state));
  // Each transaction counts once, however often it is read.
  expect(states.at(-1)).toEqual({ done: 7, total: 7 });
});

it('a database that is no store is refused', async () => {
  const empty = await createDatabase({ isEmpty: true });
  onTestFinished(empty.remove);
  await expect(verify(empty)).rejects.toThrow(OperatorError);
});

describe('each kind of damage is found and named', () => {
  it.each([
    {
      damage: 'a gap in the numbering',
      sql: `${unguarded('ledger_transaction')}
        DELETE FROM idempotency; DELETE FROM ledger_transaction WHERE account_no = ${P} AND seq = 3`,
      findings: [
        'guilds with gaps in the numbers of their transactions: 1',
        'account of player p: transaction 3 is missing, the next one is 4',
        'account of player p: the balance after transaction 4 is not the sum of the totals',
        ...WRONG_DAY,
      ],
    },
    {
      damage: 'a missing last transaction',
      sql: `${unguarded('ledger_transaction')}
        DELETE FROM idempotency; DELETE FROM ledger_transaction WHERE account_no = ${P} AND seq = 5`,
      findings: [
        'ledgers that would go on with another number than their next: 1',
        'account of player p: its count of transactions is 5 and should be 4',
        'account of player p: its balance is not the sum of its transactions',
        'account of player p: its last time is not that of its last transaction',
        ...WRONG_DAY,
      ],
    },
    {
      damage: 'an account without its guild',
      sql: `INSERT INTO account VALUES (99, 999, 'nobody', 0, 0, 0)`,
      findings: ['accounts that belong to no guild: 1'],
    },
    {
      damage: 'transactions without their account',
      sql: `${unguarded('account')} DELETE FROM account WHERE player_id = 'p'`,
      findings: ['transactions that belong to no account: 5'],
    },
    {
      damage: 'an idempotency key without its transaction',
      sql: `INSERT INTO idempotency VALUES (1, 'lost', 'hash', ${P}, 99)`,
      findings: ['idempotency keys that belong to no transaction: 1'],
    },
    {
      damage: 'records that are sorted or searched wrongly',
      sql: `UPDATE discharge SET search_text = 'somebody else'; UPDATE transfer SET name_key = name || '!'`,
      findings: [
        'discharges that are sorted or searched by something else than what they say: 2',
        'transfers that are sorted or searched by something else than what they say: 2',
      ],
    },
    {
      damage: 'a wrong balance',
      sql: "UPDATE account SET balance = balance + 1 WHERE player_id = 'p'",
      findings: ['account of player p: its balance is not the sum of its transactions'],
    },
    {
      damage: 'an account that counts transactions and has none',
      sql: `INSERT INTO account VALUES (1, 999, 'empty', 0, 1, 0)`,
      findings: ['account of player empty: its count of transactions is 1 and should be 0'],
    },
    {
      damage: 'time going back',
      sql: `UPDATE ledger_transaction SET created_at = 5 WHERE account_no = ${P} AND seq = 3`,
      findings: [
        'account of player p: transaction 3 is older than the one before it',
        'guild 100200300 on 1970-01-01: its sums are not those of its transactions',
        WRONG_DAY[0],
        'guild 100200300 on 1970-01-01: the sums of the other sources are not those of its transactions',
        WRONG_DAY[1],
      ],
    },
    ...['accounts_opened', 'deposit_count', 'deposit_units', 'withdrawal_count', 'withdrawal_units'].map(
      (column) => ({
        damage: `a day with a wrong ${column}`,
        sql: `UPDATE guild_day SET ${column} = ${column} + 1 WHERE guild_no = 1 AND day = 20619`,
        findings: WRONG_DAY.slice(0, 1),
      }),
    ),
    {
      damage: 'a day without its sums',
      sql: 'DELETE FROM guild_day WHERE guild_no = 1 AND day = 20619',
      findings: ['sources with sums on days without any: 1', WRONG_DAY[0]],
    },
    {
      damage: 'a source under another name',
      sql: "UPDATE guild_day_source SET source = 'nobody' WHERE guild_no = 1 AND day = 20619",
      findings: [
        'guild 100200300 on 2026-06-15: the sums of the other sources are not those of its transactions',
        'guild 100200300 on 2026-06-15: the sums of source nobody are not those of its transactions',
      ],
    },
    {
      damage: 'more sources with sums than a day may have',
      sql: `INSERT INTO guild_day_source SELECT 2, 20619, 'source ' || i, 0, 0, 0, 0 FROM generate_series(1, 100) i`,
      findings: [
        ...Array.from({ length: 100 }, () =>
          expect.stringMatching(/^guild other on 2026-06-15: the sums of source source \d+ are not/),
        ),
        'and 1 more',
      ],
    },
    {
      damage: 'sums of a day on which nothing happened',
      sql: `INSERT INTO guild_day VALUES (1, 20620, 0, 0, 0, 0, 0);
        INSERT INTO guild_day_source VALUES (2, 1, 'shop', 0, 0, 0, 0)`,
      findings: ['days with sums and no transactions: 1', 'sources with sums on days without any: 1'],
    },
    {
      damage: 'a game account with two holders',
      sql: "UPDATE verification SET player_id = 'p3' WHERE chat_id = '2'",
      findings: ['game accounts that more than one person holds: 1'],
    },
    {
      damage: 'audit entries taken out',
      sql: `ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_is_not_changed;
        DELETE FROM audit_entry WHERE (guild_no = 0 AND entry_no = 2) OR (guild_no = 1 AND entry_no = 1)`,
      findings: ['audit entries that are missing from their sequence: 2'],
    },
    {
      damage: 'a log that would give a number twice',
      sql: 'UPDATE audit_counter SET last_entry_no = 0 WHERE guild_no = 1',
      findings: ['audit logs that would go on with another number than their next: 1'],
    },
  ])('$damage', async ({ sql, findings }) => {
    const copy = await copyHealthy();
    await copy.query(sql);
    expect(await verify(copy)).toEqual(findings);
  });
});

it.each([
  ['DELETE FROM guild', 'guild'],
  ['UPDATE guild SET guild_no = guild_no + 100', 'guild'],
  [`DELETE FROM account WHERE player_id = 'p'`, 'account'],
  ['UPDATE account SET account_no = account_no + 100', 'account'],
  ['UPDATE account SET player_id = player_id || 1', 'account'],
  ['TRUNCATE account', 'account'],
  ['DELETE FROM ledger_transaction', 'ledger_transaction'],
  ['UPDATE ledger_transaction SET seq = seq + 100', 'ledger_transaction'],
  ['TRUNCATE ledger_transaction', 'ledger_transaction'],
])('%s is refused: rows of others belong to them', async (sql, table) => {
  const copy = await copyHealthy();
  await expect(copy.query(sql)).rejects.toThrow(`the rows of ${table} are neither removed nor renumbered`);
  expect(await verify(copy)).toEqual([]);
});

it.each(['UPDATE audit_entry SET actor_id = $$x$$', 'DELETE FROM audit_entry'])(
  'the audit log refuses %s',
  async (sql) => {
    const copy = await copyHealthy();
    await expect(copy.query(sql)).rejects.toThrow('the audit log is append-only');
  },
);
