import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../../e2e/support/chromium.ts';
import { type DashboardService, GUILD, startDashboardService } from '../http/dashboard-service.ts';
import { openEventStream } from '../support/event-stream.ts';
import { startTestService, type TestService, transactionBody } from '../support/service.ts';
import { createDatabase, type TestDatabase } from './database.ts';

let database: TestDatabase;
let watched: DashboardService;
let posting: TestService;
let key: string;

beforeAll(async () => {
  database = await createDatabase();
  const settings = { DATABASE_URL: database.url, SECRET_KEY: 'k'.repeat(32) };
  watched = await startDashboardService({}, settings);
  posting = await startTestService(settings);
  key = (await posting.addKey(GUILD)).value;
});

afterAll(async () => {
  await posting.stop();
  await watched.stop();
  await database.remove();
});

async function post(fields: Parameters<typeof transactionBody>[0]): Promise<void> {
  const request = { method: 'POST', url: '/guild/ledger', key, payload: transactionBody(fields) };
  expect((await posting.send(request)).status).toBe(200);
}

test('a post through one instance shows on a stream of another', async () => {
  const { cookies } = await watched.signIn('olga');
  const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const stream = await openEventStream(new URL(`/dashboard/api/guilds/${GUILD}/events`, watched.address), {
    cookie,
  });
  for (const number of [1, 2, 3]) {
    await post({ playerId: `p${number}` });
    expect(await stream.until(number)).toEqual({
      id: String(number),
      event: 'transactions',
      data: { count: 1, playerIds: [`p${number}`] },
    });
  }
});

test('a post through one instance shows on a page that is watched through another', async () => {
  const { cookies } = await watched.signIn('olga');
  const browser = await launchChromium();
  try {
    const context = await browser.newContext();
    context.setDefaultTimeout(120_000);
    await context.addCookies(Array.from(cookies, ([name, value]) => ({ name, value, url: watched.address })));
    const page = await context.newPage();
    const isFollowing = page.waitForResponse((response) => response.url().includes('/events'));
    await page.goto(`${watched.address}/dashboard/guilds/${GUILD}/ledger`);
    await isFollowing;
    const durations: number[] = [];
    for (let number = 1; number <= 6; number += 1) {
      const name = `Watched ${number}.`;
      await post({ playerId: 'p1', name });
      const startMs = performance.now();
      const shown = page.getByRole('main').getByText(name);
      await expect.poll(() => shown.count(), { interval: 20, timeout: 120_000 }).toBe(1);
      durations.push(Math.round(performance.now() - startMs));
    }
    console.log(`Shown after so many milliseconds: ${durations.join(', ')}`);
  } finally {
    await browser.close();
  }
});
