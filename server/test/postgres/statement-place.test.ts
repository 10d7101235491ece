import { describe, expect, it } from 'vitest';
import { hashGuildNo } from '../../src/store/postgres/guild-shards.ts';
import { placeOfText, type StatementPlace } from '../../src/store/postgres/statement-place.ts';
import { createDatabase } from './database.ts';

describe('the nodes that a statement needs', () => {
  it.each<[string, StatementPlace]>([
    ['SELECT 1 FROM account WHERE guild_no = $1', { guildAt: 0 }],
    ['SELECT 1 FROM verification AS v CROSS JOIN account AS a WHERE a.guild_no = $3', { guildAt: 2 }],
    ['SELECT outcomes FROM append_guild_transactions($1, $2)', { guildAt: 0 }],
    ['SELECT first_not_before($1, $2, $3, $4) AS first', { guildAt: 0 }],
    ['INSERT INTO batch_request (guild_no, batch_key) VALUES ($1, $2)', { guildAt: 0 }],
    ['UPDATE guild_ledger SET last_number = $2 WHERE guild_no = $1', { guildAt: 0 }],
    ['SELECT 1 FROM guild_ledger WHERE guild_no = ANY ($1::bigint[])', { guildsAt: 0 }],
    ['SELECT max(created_at) FROM ledger_transaction', 'everywhere'],
    ['INSERT INTO api_key (guild_no, key_id) VALUES ($1, $2)', 'everywhere'],
    ['UPDATE revision SET value = value + 1 WHERE part = $1', 'everywhere'],
    ['SELECT 1 FROM api_key WHERE guild_no = $1', 'coordinator'],
    ['UPDATE webhook SET due_at = $2 WHERE guild_no = $1', 'coordinator'],
    ['SELECT 1', 'coordinator'],
  ])('%s', (text, place) => {
    expect(placeOfText(text)).toEqual(place);
  });
});

it('the hash of a guild is that of PostgreSQL, by which Citus distributes rows', async () => {
  const database = await createDatabase();
  const numbers = [0, 1, 2, 3, 1_000, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 32 + 7, Number.MAX_SAFE_INTEGER];
  const rows = await database.query(
    `SELECT hashint8(n) AS hash FROM unnest('{${numbers.join(',')}}'::bigint[]) WITH ORDINALITY AS g (n, place) ORDER BY place`,
  );
  expect(numbers.map(hashGuildNo)).toEqual(rows.map(({ hash }) => hash));
  await database.remove();
});
