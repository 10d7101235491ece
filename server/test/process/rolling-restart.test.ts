import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type TestDatabase } from '../postgres/database.ts';
import { depth } from '../support/depth.ts';
import { LONG_TEST } from '../support/patience.ts';
import { restartUnderTraffic } from './rolling-restarts.ts';

const RESTARTS = depth({ normal: 1, deep: 3 });

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.remove());

test(
  'instances behind the documented haproxy are restarted one by one, and no request fails',
  LONG_TEST,
  async () => {
    const traffic = await restartUnderTraffic(database.url, RESTARTS);
    expect(traffic.failures).toEqual([]);
    expect(traffic.posted.length).toBeGreaterThanOrEqual(RESTARTS * 50);
    expect(traffic.reads).toBeGreaterThan(RESTARTS * 10);
  },
);
