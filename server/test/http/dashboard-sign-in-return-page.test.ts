import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answering } from '../support/chat-platform.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { type DashboardService, startDashboardService } from './dashboard-service.ts';
import { errorPage } from './failed-sign-in.ts';

let service: DashboardService;
/** A service without a registered application. */
let plain: TestService;
beforeAll(async () => {
  service = await startDashboardService();
  plain = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await plain.stop();
});

describe('the page somebody wanted is not forgotten when the sign-in fails', () => {
  const WANTED = '/dashboard/guilds/1?tab=keys&x=a%26b';
  const withWanted = (reason: string) =>
    `/dashboard/sign-in?${new URLSearchParams({ error: reason, returnTo: WANTED })}`;

  test('because they declined, because the platform failed, or because it took too long', async () => {
    const browser = service.openBrowser();
    const denied = await browser.pick(await browser.begin(WANTED), 'nobody');
    expect((await browser.go(denied)).location).toBe(withWanted('denied'));

    const failed = await browser.pick(await browser.begin(WANTED), 'olga');
    service.platform.setFault(answering('/token', 500, 'oops'));
    expect((await browser.go(failed)).location).toBe(withWanted('unavailable'));
    service.platform.setFault(undefined);

    const late = await browser.pick(await browser.begin(WANTED), 'olga');
    service.clock.advance(600_000);
    expect((await browser.go(late)).location).toBe(withWanted('expired'));
  });

  test('because it could not begin', async () => {
    const begin = async (returnTo: string) => {
      const url = `/dashboard/api/sign-in?${new URLSearchParams({ returnTo })}`;
      return (await plain.send({ method: 'GET', url })).headers.location;
    };
    expect(await begin(WANTED)).toBe(withWanted('unavailable'));
    for (const evil of ['//evil.example/dashboard/', '/dashboard/../evil', 'https://evil.example']) {
      expect(await begin(evil)).toBe(errorPage('unavailable'));
    }
  });
});

test.each([
  ['https://evil.example/'],
  ['//evil.example/dashboard/'],
  ['/\\evil.example'],
  ['/dashboard/\\..\\..\\evil'],
  ['/dashboard/../evil'],
  ['/dashboard/..//evil.example'],
  ['/dashboard/%2e%2e//evil.example'],
  ['/dashboard/api/sign-out'],
  ['/dashboard/x/../api/session'],
  ['/dashboardevil'],
  ['javascript:alert(1)'],
  ['/dashboard/\r\nset-cookie: a=b'],
  ['/dashboard/\u0000'],
  [`/dashboard/${'x'.repeat(3_000)}`],
  [''],
])('after sign-in, %j leads to the first page and nowhere else', async (returnTo) => {
  const browser = service.openBrowser();
  const reply = await browser.go(await browser.pick(await browser.begin(returnTo), 'olga'));
  expect(reply.location).toBe('/dashboard/');
});
