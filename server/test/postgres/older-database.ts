import { randomUUIDv7 } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { GuildRef } from '../../src/domain/model.ts';
import { NOON_MS } from '../contract/specimens.ts';
import { readFixture } from '../support/older-store.ts';
import { createDatabase, type TestDatabase } from './database.ts';

/** A database as release 0.2.0 left it, with its sample data. It is gone when the test is over. */
export async function createOlderDatabase(): Promise<TestDatabase> {
  const database = await createDatabase({ isEmpty: true });
  onTestFinished(database.remove);
  await database.query(String(readFixture('sample-0.2.0.sql')));
  return database;
}

export interface OlderPost {
  playerId: string;
  units: number;
  createdAtMs?: number;
}

/** Posts one transaction with the function that instances of release 0.2.0 call. */
export async function postAsOlder(
  { query }: TestDatabase,
  { guildNo }: Pick<GuildRef, 'guildNo'>,
  { playerId, units, createdAtMs = NOON_MS }: OlderPost,
): Promise<{ outcomes: string[]; balances: string[] }[]> {
  const call = [true, false, false, [guildNo], [1], [playerId], [], [], [1], [0], [null], [randomUUIDv7()]];
  const money = [[units], [1], [units], ['n'], ['s'], [null], [createdAtMs], [null]];
  const values = [...call, ...money, ...Array.from({ length: 9 }, () => [])];
  const places = values.map((_, index) => `$${index + 1}`).join(', ');
  return query(
    `SELECT outcomes, outcome_balances::text[] AS balances FROM append_transactions(${places})`,
    values,
  );
}
