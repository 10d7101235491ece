import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DashboardService, startDashboardService } from './dashboard-service.ts';
import { expectNoSession } from './failed-sign-in.ts';

let service: DashboardService;
beforeAll(async () => {
  service = await startDashboardService();
});
afterAll(() => service.stop());

describe('a callback is refused as expired', () => {
  test('without a state, with a made-up one, and with one given twice', async () => {
    const browser = service.openBrowser();
    const back = new URL(await browser.pick(await browser.begin(), 'olga'));
    const code = back.searchParams.get('code');
    const state = back.searchParams.get('state');
    for (const query of [
      `code=${code}`,
      `code=${code}&state=`,
      `code=${code}&state=${'A'.repeat(43)}`,
      `code=${code}&state=${state}&state=${state}`,
      `code=${code}&state=${state?.toUpperCase()}`,
      '',
    ]) {
      await expectNoSession(service, () => browser.go(`/dashboard/api/callback?${query}`), 'expired');
    }
    // None of these used the real one up.
    expect((await browser.go(back.href)).location).toBe('/dashboard/');
  });

  test('when it is replayed, even with a code that was not used', async () => {
    const browser = service.openBrowser();
    const address = await browser.begin();
    const back = await browser.pick(address, 'olga');
    expect((await browser.go(back)).location).toBe('/dashboard/');
    await expectNoSession(service, () => browser.go(back), 'expired');
    const freshCode = await browser.pick(address, 'olga');
    await expectNoSession(service, () => browser.go(freshCode), 'expired');
  });

  test('ten minutes after it began, and not a moment earlier', async () => {
    const early = service.openBrowser();
    const late = service.openBrowser();
    const [one, other] = [await early.begin(), await late.begin()];
    service.clock.advance(600_000 - 1);
    const earlyBack = await early.pick(one, 'olga');
    const lateBack = await late.pick(other, 'olga');
    expect((await early.go(earlyBack)).location).toBe('/dashboard/');
    service.clock.advance(1);
    await expectNoSession(service, () => late.go(lateBack), 'expired');
  });

  test('in another browser, where it takes nothing away from the right one', async () => {
    const browser = service.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    const stranger = service.openBrowser();
    await expectNoSession(service, () => stranger.go(back), 'expired');
    await stranger.begin();
    await expectNoSession(service, () => stranger.go(back), 'expired');
    expect(stranger.cookies.has('guildbook_session')).toBe(false);
    expect((await browser.go(back)).location).toBe('/dashboard/');
  });
});

test('somebody who declines is told so, and a code used elsewhere fails', async () => {
  const browser = service.openBrowser();
  const denied = await browser.pick(await browser.begin(), 'nobody');
  await expectNoSession(service, () => browser.go(denied), 'denied');
  const first = new URL(await browser.pick(await browser.begin(), 'olga'));
  await browser.go(first.href);
  const second = new URL(await browser.pick(await browser.begin(), 'olga'));
  second.searchParams.set('code', first.searchParams.get('code') ?? '');
  await expectNoSession(service, () => browser.go(second.href), 'failed');
});

test.each(['error=server_error', 'error=', 'code=', 'nothing=1'])(
  'a callback with the right state and %s fails',
  async (query) => {
    const browser = service.openBrowser();
    const state = new URL(await browser.begin()).searchParams.get('state');
    await expectNoSession(
      service,
      () => browser.go(`/dashboard/api/callback?state=${state}&${query}`),
      'failed',
    );
  },
);

test.each(['/dashboard/api/sign-in', '/dashboard/api/callback'])(
  'an address of %s that does not decode leads to the sign-in page',
  async (path) => {
    for (const query of [
      '?state=%zz',
      '?%',
      '?returnTo=%2Fdashboard%2Fx%E0%A4%A',
      '?code=a&returnTo=//evil%',
    ]) {
      const reply = await fetch(`${service.address}${path}${query}`, { redirect: 'manual' });
      expect(reply.status).toBe(302);
      expect(reply.headers.get('location')).toMatch(
        /^\/dashboard\/sign-in\?error=failed(&returnTo=%2Fdashboard%2F[^&]*)?$/,
      );
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
    const wrongMethod = await fetch(`${service.address}${path}`, { method: 'POST' });
    expect(wrongMethod.status).toBe(405);
  },
);
