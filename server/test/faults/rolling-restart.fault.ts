import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { restartUnderTraffic } from '../process/rolling-restarts.ts';

const RESTARTS = 10;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());

test(`${RESTARTS} restarts behind the documented haproxy, one instance after the other, and no request fails`, async () => {
  const traffic = await restartUnderTraffic(database.url, RESTARTS);
  expect(traffic.failures).toEqual([]);
  expect(traffic.posted.length).toBeGreaterThanOrEqual(RESTARTS * 50);
  const rows = await database.query<{ name: string }>('SELECT name FROM ledger_transaction');
  expect(rows.map(({ name }) => name).sort()).toEqual(traffic.posted.sort());
});
