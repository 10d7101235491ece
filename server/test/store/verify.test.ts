import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/domain/errors.ts';
import { verifySqliteFile } from '../../src/store/sqlite/backup.ts';
import { readFixture } from '../support/older-store.ts';
import { damageTable, makeFullFile, openStoreOn, withRaw } from './full-store.ts';

let folder: string;
let healthy: string;
let copy: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'guildbook-test-'));
  healthy = await makeFullFile(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  copy = path.join(folder, 'copy.db');
  copyFileSync(healthy, copy);
});

const verify = (file = copy) => verifySqliteFile(file, () => {});
const P = "(SELECT account_no FROM account WHERE player_id = 'p')";

it('a healthy store has no faults, and verifying leaves it as it was', () => {
  const before = readFileSync(copy);
  expect(verify()).toEqual([]);
  expect(readFileSync(copy).equals(before)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(['copy.db', 'guildbook.db']);
});

it('a new store has no faults, nor has one that is being served', async () => {
  const file = path.join(folder, 'new.db');
  const store = await openStoreOn(file);
  expect(verify(file)).toEqual([]);
  await store.close();
  expect(verify(file)).toEqual([]);
  rmSync(file);
});

it('tells how far it is, up to the last transaction', () => {
  const states: { done: number; total: number }[] = [];
  verifySqliteFile(copy, (state) => states.push(state));
  // Each of the seven is looked at along its account and along time, and counted once.
  expect(states.at(-1)).toEqual({ done: 7, total: 7 });
});

/** The faults in the sums of a day after a change of its transactions. */
const WRONG_DAY = [
  'guild 100200300 on 2026-06-15: its sums are not those of its transactions',
  'guild 100200300 on 2026-06-15: the sums of source shop are not those of its transactions',
];

describe('each kind of damage is found and named', () => {
  it.each([
    {
      damage: 'a gap in the numbering',
      sql: `DELETE FROM idempotency; DELETE FROM ledger_transaction WHERE account_no = ${P} AND seq = 3`,
      findings: [
        'guilds with gaps in the numbers of their transactions: 1',
        'account of player p: transaction 3 is missing, the next one is 4',
        'account of player p: the balance after transaction 4 is not the sum of the totals',
        ...WRONG_DAY,
      ],
    },
    {
      damage: 'a missing last transaction',
      sql: `DELETE FROM idempotency; DELETE FROM ledger_transaction WHERE account_no = ${P} AND seq = 5`,
      findings: [
        'ledgers that would go on with another number than their next: 1',
        'account of player p: its count of transactions is 5 and should be 4',
        'account of player p: its balance is not the sum of its transactions',
        'account of player p: its last time is not that of its last transaction',
        ...WRONG_DAY,
      ],
    },
    {
      damage: 'a discharge that is searched by another name',
      sql: "UPDATE discharge SET search_text = 'somebody else'",
      findings: ['discharges that are sorted or searched by something else than what they say: 2'],
    },
    {
      damage: 'a discharge that is sorted under another day',
      sql: 'UPDATE discharge SET date_at = date_at + 1 WHERE guild_no = 1',
      findings: ['discharges that are sorted or searched by something else than what they say: 1'],
    },
    {
      damage: 'a transfer that is sorted under another name',
      sql: "UPDATE transfer SET name_key = name || '!'",
      findings: ['transfers that are sorted or searched by something else than what they say: 2'],
    },
    {
      damage: 'a wrong balance',
      sql: "UPDATE account SET balance = balance + 1 WHERE player_id = 'p'",
      findings: ['account of player p: its balance is not the sum of its transactions'],
    },
    {
      damage: 'a wrong balance on the way',
      sql: `UPDATE ledger_transaction SET balance_after = 99 WHERE account_no = ${P} AND seq = 2`,
      findings: [
        'account of player p: the balance after transaction 2 is not the sum of the totals',
        'account of player p: the balance after transaction 3 is not the sum of the totals',
      ],
    },
    {
      damage: 'a wrong count',
      sql: "UPDATE account SET transaction_count = 6 WHERE player_id = 'p'",
      findings: ['account of player p: its count of transactions is 6 and should be 5'],
    },
    {
      damage: 'a wrong last time',
      sql: "UPDATE account SET last_created_at = 1 WHERE player_id = 'p'",
      findings: ['account of player p: its last time is not that of its last transaction'],
    },
    {
      damage: 'time going back',
      sql: `UPDATE ledger_transaction SET created_at = 5 WHERE account_no = ${P} AND seq = 3`,
      findings: [
        'account of player p: transaction 3 is older than the one before it',
        'guild 100200300 on 1970-01-01: its sums are not those of its transactions',
        'guild 100200300 on 1970-01-01: the sums of the other sources are not those of its transactions',
        ...WRONG_DAY,
      ],
    },
    ...['accounts_opened', 'deposit_count', 'deposit_high', 'deposit_low', 'withdrawal_count'].map(
      (column) => ({
        damage: `a day with a wrong ${column}`,
        sql: `UPDATE guild_day SET ${column} = ${column} + 1 WHERE guild_no = 1 AND day = 20619`,
        findings: WRONG_DAY.slice(0, 1),
      }),
    ),
    {
      damage: 'a day without its sums',
      sql: 'DELETE FROM guild_day WHERE guild_no = 1 AND day = 20619',
      findings: ['sources with sums on days without any: 1', ...WRONG_DAY.slice(0, 1)],
    },
    ...['deposit_count', 'deposit_low', 'withdrawal_high', 'withdrawal_low'].map((column) => ({
      damage: `a source with a wrong ${column}`,
      sql: `UPDATE guild_day_source SET ${column} = ${column} + 1 WHERE guild_no = 1 AND day = 20619`,
      findings: WRONG_DAY.slice(1),
    })),
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
      sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO guild_day_source SELECT 1, 20619, 'source ' || i, 1, 0, 1, 0, 0, 0 FROM n`,
      findings: [
        ...Array.from({ length: 100 }, () =>
          expect.stringMatching(/^guild 100200300 on 2026-06-15: the sums of source source \d+ are not/),
        ),
        'and 1 more',
      ],
    },
    {
      damage: 'sums of a day on which nothing happened',
      sql: `INSERT INTO guild_day VALUES (1, 20620, 0, 0, 0, 0, 0, 0, 0);
        INSERT INTO guild_day_source VALUES (2, 1, 'shop', 0, 0, 0, 0, 0, 0)`,
      findings: ['days with sums and no transactions: 1', 'sources with sums on days without any: 1'],
    },
    {
      damage: 'an idempotency key that leads nowhere',
      sql: "UPDATE idempotency SET seq = 50 WHERE idempotency_key = 'k1'",
      findings: [
        'a row of idempotency points to something in ledger_transaction that is not there',
        'idempotency keys that point to no transaction: 1',
      ],
    },
    {
      damage: 'a transaction on the account of another guild',
      sql: `INSERT INTO ledger_transaction
        SELECT 99, account_no, seq, 'stray', amount, quantity, total, name, source, balance_after, key_no, created_at,
          posted_by, 2
        FROM ledger_transaction WHERE account_no = ${P} AND seq = 1`,
      findings: [
        'transactions that belong to no account of their guild: 1',
        'guilds with gaps in the numbers of their transactions: 1',
        'ledgers that would go on with another number than their next: 1',
        'guild number 99 on 2026-06-15: its sums are not those of its transactions',
        'guild number 99 on 2026-06-15: the sums of the other sources are not those of its transactions',
      ],
    },
    {
      damage: 'a transaction without a number',
      sql: `UPDATE ledger_transaction SET number = NULL WHERE account_no = ${P} AND seq = 5`,
      findings: [
        'guilds with gaps in the numbers of their transactions: 1',
        'ledgers that would go on with another number than their next: 1',
      ],
    },
    {
      damage: 'facts of no transaction',
      sql: "INSERT INTO ledger_extra (guild_no, number, reference, metadata, payment_id, reverses) VALUES (1, 99, 'order', NULL, NULL, NULL)",
      findings: [
        'a row of ledger_extra points to something in ledger_transaction that is not there',
        'facts that belong to no transaction: 1',
      ],
    },
    {
      damage: 'a reversal of something else',
      sql: 'INSERT INTO ledger_extra (guild_no, number, reference, metadata, payment_id, reverses) VALUES (1, 2, NULL, NULL, NULL, 1)',
      findings: ['reversals that are not the opposite of what they reverse: 1'],
    },
    {
      damage: 'a payment that makes money',
      sql: "INSERT INTO ledger_extra (guild_no, number, reference, metadata, payment_id, reverses) VALUES (1, 1, NULL, NULL, 'x', NULL), (1, 2, NULL, NULL, 'x', NULL)",
      findings: ['payments with more than two sides, or with two that do not add up to nothing: 1'],
    },
    {
      damage: 'a record of no guild',
      sql: 'UPDATE discharge SET guild_no = 99 WHERE guild_no = 2',
      findings: ['a row of discharge points to something in guild that is not there'],
    },
    {
      damage: 'a game account with two holders',
      sql: "UPDATE verification SET player_id = 'p3' WHERE chat_id = '2'",
      findings: ['game accounts that more than one person holds: 1'],
    },
    {
      damage: 'audit entries taken out',
      sql: `DROP TRIGGER audit_entry_is_not_deleted;
        DELETE FROM audit_entry WHERE (guild_no = 0 AND entry_no = 2) OR (guild_no = 1 AND entry_no = 1)`,
      findings: ['audit entries that are missing from their sequence: 2'],
    },
  ])('$damage', ({ sql, findings }) => {
    withRaw(copy, (db) => db.exec(sql));
    expect(verify()).toEqual(findings);
  });

  it.each(['discharge', 'account', 'ledger_transaction', 'audit_entry', 'verification', 'schema_migration'])(
    'a damaged page of %s, without an error of the driver',
    (table) => {
      damageTable(copy, table);
      const findings = verify();
      expect(findings.length).toBeGreaterThan(0);
      expect(findings[0]).toMatch(/^the file is damaged: /);
    },
  );

  it('a long list is cut, and the rest counted', () => {
    withRaw(copy, (db) => {
      db.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 130)
        INSERT INTO account (guild_no, player_id, balance, transaction_count, last_created_at)
        SELECT 1, 'broken ' || i, 5, 0, 0 FROM n`);
    });
    const findings = verify();
    expect(findings).toHaveLength(101);
    expect(findings.at(-1)).toBe('and 30 more');
  });
});

describe('what is not a store', () => {
  it.each([
    ['text', (file: string) => writeFileSync(file, 'guildId,name\n'.repeat(500))],
    ['an empty file', (file: string) => writeFileSync(file, '')],
    [
      'a database of another program',
      (file: string) => {
        rmSync(file);
        withRaw(file, (db) => db.exec('CREATE TABLE recipe (title TEXT)'));
      },
    ],
  ])('%s is refused by name', (_, make) => {
    make(copy);
    expect(() => verify()).toThrow(new OperatorError(`${copy} is not a Guildbook store`));
  });

  it('a file that is not there is refused, and not made', () => {
    const absent = path.join(folder, 'absent.db');
    expect(() => verify(absent)).toThrow(new OperatorError(`there is no file ${absent}`));
    expect(readdirSync(folder)).not.toContain('absent.db');
  });

  it('a store of a newer program is refused', () => {
    withRaw(copy, (db) => db.exec("INSERT INTO schema_migration VALUES (99, 'future', 'c', 0)"));
    expect(() => verify()).toThrow(/schema version/);
  });
});

it('a store of an older program, not yet migrated, can be verified as it is', () => {
  writeFileSync(copy, readFixture('sample-0.2.0.db'));
  expect(verify()).toEqual([]);
});
