import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { answering, silent } from '../support/chat-platform.ts';
import { type DashboardService, startDashboardService } from './dashboard-service.ts';
import { errorPage, expectNoSession } from './failed-sign-in.ts';

let service: DashboardService;
beforeAll(async () => {
  service = await startDashboardService();
});
afterAll(() => service.stop());

describe('trouble on the platform', () => {
  const TOKEN = { token_type: 'Bearer', access_token: 'a', expires_in: 60 };
  test.each([
    ['the token endpoint is broken', answering('/token', 500, 'oops'), 'unavailable'],
    ['the token endpoint talks garbage', answering('/token', 200, '<html>'), 'unavailable'],
    ['the token has no text', answering('/token', 200, '{"token_type":"Bearer"}'), 'unavailable'],
    ['the token endpoint limits', answering('/token', 429, '{}', { 'retry-after': '60' }), 'unavailable'],
    ['the token endpoint refuses', answering('/token', 400, '{"error":"invalid_grant"}'), 'failed'],
    ['our own secret is wrong', answering('/token', 401, '{"error":"invalid_client"}'), 'failed'],
    ['the token is refused', answering('/token', 200, JSON.stringify(TOKEN)), 'failed'],
    ['the user is garbage', answering('/@me', 200, '[]'), 'unavailable'],
    ['the user has no id', answering('/@me', 200, '{"username":"x"}'), 'unavailable'],
    ['the guilds are garbage', answering('/guilds', 200, '{"no":"list"}'), 'unavailable'],
    ['a guild is garbage', answering('/guilds', 200, '[null]'), 'unavailable'],
    [
      'permissions are no number',
      answering('/guilds', 200, '[{"id":"1","name":"x","permissions":"-8"}]'),
      'unavailable',
    ],
    ['the guilds are limited', answering('/guilds', 429, '{}', { 'retry-after': '30' }), 'unavailable'],
    ['the guilds are forbidden', answering('/guilds', 403, '{}'), 'failed'],
    ['an answer is endless', answering('/guilds', 200, `["${'x'.repeat(2_000_000)}"]`), 'unavailable'],
  ])('%s: a page that says so, and nothing stored', async (_name, fault, reason) => {
    const browser = service.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    service.platform.setFault(fault);
    await expectNoSession(service, () => browser.go(back), reason);
    service.platform.setFault(undefined);
    expect(browser.cookies.has('guildbook_session')).toBe(false);
  });

  test('a short pause asked for by the platform is made, once', async () => {
    const browser = service.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    let refusals = 0;
    const limit = answering('/guilds', 429, '{}', { 'retry-after': '0' });
    service.platform.setFault((request, response) => {
      refusals += request.url?.endsWith('/guilds') ? 1 : 0;
      return refusals === 1 && limit(request, response);
    });
    expect((await browser.go(back)).location).toBe('/dashboard/');
    expect(refusals).toBe(2);
    service.platform.setFault(undefined);
  });

  describe('for a service that does not wait long', () => {
    let impatient: DashboardService;
    beforeAll(async () => {
      impatient = await startDashboardService({ chatTimeoutMs: 100 });
    });
    afterAll(() => impatient.stop());

    test.each([
      ['the token endpoint says nothing', silent('/token')],
      ['the user says nothing', silent('/@me')],
    ])('%s: a page that says so, and nothing stored', async (_name, fault) => {
      const browser = impatient.openBrowser();
      const back = await browser.pick(await browser.begin(), 'olga');
      impatient.platform.setFault(fault);
      await expectNoSession(impatient, () => browser.go(back), 'unavailable');
      impatient.platform.setFault(undefined);
      expect(browser.cookies.has('guildbook_session')).toBe(false);
    });
  });

  test('a platform that is gone', async () => {
    const other = await startDashboardService();
    onTestFinished(() => other.stop());
    const browser = other.openBrowser();
    const back = await browser.pick(await browser.begin(), 'olga');
    await other.platform.close();
    expect((await browser.go(back)).location).toBe(errorPage('unavailable'));
    expect(other.count('session')).toBe(0);
  });
});
